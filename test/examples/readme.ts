/** Runs the commands of the guide and an example's README, from an empty folder to a certificate. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Block, blocksOf } from '../harness/blocks.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort } from '../harness/http-server.ts';
import { execute, withoutTestRunner } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';
import { folderOf, offline, type RunnableLanguage } from './servers.ts';

/** The time limit that the guide promises, in milliseconds. */
const fiveMinutes = 5 * 60_000;

/** Declares the test that runs all steps of a README. */
export function readmeSteps(language: RunnableLanguage): void {
  it(`examples/${language}: from init to certificate in under five minutes, by the steps of guide and README`, async () => {
    const folder = await temporaryFolder();
    const port = new URL(await closedPort()).port;
    const result = await runScript(folder, port, stepsOf(language));
    expect(result.code, result.stdout + result.stderr).toBe(0);
    for (const step of ['"balance":10000', 'All applicable mandatory requirements passed.']) {
      expect(result.stdout.replaceAll(' ', '')).toContain(step.replaceAll(' ', ''));
    }
    expect(result.stdout).toMatch(
      new RegExp(
        `^Checked (\\d+) of \\1 mandatory requirements: PASSED, but the signing key is not verified: http://127\\.0\\.0\\.1:${port}$`,
        'm',
      ),
    );
    const file = (name: string) => readFile(join(folder, 'points', name), 'utf8');
    expect(JSON.parse(await file('certify.json'))).toMatchObject({
      outcome: 'passed',
      balances: 'restored',
      failures: [],
    });
    expect(await file('certify.html')).toMatch(/^<!doctype html>/i);
    expect(await file('certified.svg')).toMatch(/<title>.*: self-certified /);
  });
}

/** Returns all steps as one script. Where the reader presses Ctrl-C, the script sends the same signal to a background job. */
export function stepsOf(language: string): string {
  const guide = blocksOf(join(root, 'docs/guides/what-you-build.md'));
  const [init, ...more] = guide.filter(({ text }) => text.includes('npx --no-install rewards-sandbox init'));
  const [start, call, ...rest] = blocksOf(`${folderOf(language)}README.md`).filter((block) => block.language === 'sh');
  const steps = [
    'export REWARDS_SANDBOX="$PWD/rewards-sandbox-sandbox-0.1.0.tgz"',
    'npm install --global "$REWARDS_SANDBOX"',
    'npx --no-install rewards-sandbox init --lang python points',
  ];
  expect([init?.text, more]).toEqual([steps.map((step) => `${step}\n`).join(''), []]);
  const text = rest.map(({ text }) => text).join('');
  for (const step of [' certify ', ' certificate verify ', ' certificate badge ']) expect(text).toContain(step);
  return [
    'set -meuo pipefail',
    "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT",
    textOf(init).replace('python', language),
    'cd points',
    // Update the port in `certify.yaml`. `runScript` replaces 8080 with the test's own port.
    'sed -i "s|^client_url: .*|client_url: http://127.0.0.1:8080|" certify.yaml',
    textOf(start).replace(/\n$/, ' > ../first.log &'),
    'first=$!',
    "until grep -qs '^listening on' ../first.log; do sleep 0.1; done",
    textOf(call),
    'kill -INT %1',
    // Job %1 may be gone by now, but its exit status is still available. A JVM that shuts down on SIGINT exits with 130.
    'wait "$first" || [ $? -eq 130 ]',
    ...rest.map(textOf),
    'wait',
  ].join('\n');
}

function textOf(block: Block | undefined): string {
  return block?.text ?? '';
}

/** Runs a script in a folder and replaces the documented port. `npm` installs nothing, and `npx` runs this checkout. */
async function runScript(folder: string, port: string, script: string) {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const command = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));
  const commands = {
    npm: `[ "$1 $2" = 'install --global' ] && [ "$3" = "$REWARDS_SANDBOX" ]`,
    npx: `[ "$1 $2" = '--no-install rewards-sandbox' ] || exit 1\nshift 2\nexec "${process.execPath}" "${command}" "$@"`,
    'rewards-sandbox': `exec "${process.execPath}" "${command}" "$@"`,
  };
  for (const [name, script] of Object.entries(commands)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const env = { ...withoutTestRunner(), ...offline, PORT: port, PATH: `${bin}:${process.env.PATH}` };
  const options = { cwd: folder, env, timeout: fiveMinutes };
  return execute('bash', ['-c', script.replaceAll(':8080', `:${port}`)], options);
}
