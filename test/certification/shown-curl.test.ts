/**
 * Tests that a report's curl command, run in a real shell, sends the same data as the run and nothing from the reader's
 * environment (OP-172).
 */
import { spawnSync } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Answer } from '../../sandbox/certification/answer.ts';
import { reportedExchange, Secrets } from '../../sandbox/certification/failure.ts';
import { temporaryFolder } from '../harness/folders.ts';

const environment = {
  SERVICE_TOKEN: 'service-"secret"-$HOME',
  ADMIN_TOKEN: 'admin-secret',
  AWS_SECRET_ACCESS_KEY: 'aws-secret',
  HOME: '/home/reader',
};

/** Returns a call that contains the service token, and text from the server in its address, a header and its body. */
function answer(text: string): Answer {
  const { SERVICE_TOKEN } = environment;
  return {
    call: {
      method: 'POST',
      path: `/orders/${encodeURIComponent(text)}`,
      headers: [
        ['authorization', `Bearer ${SERVICE_TOKEN}`],
        ['x-reference', text],
      ],
      body: Buffer.from(`{"reference_id":"${text}","token":"${SERVICE_TOKEN}x"}`),
    },
    status: 200,
    headers: [],
    body: Buffer.from('{}'),
    problem: undefined,
    detail: undefined,
    findings: [],
  };
}

/** Runs a command in a shell. Returns the arguments that curl receives, and the files that the command created. */
async function pasted(shell: string, command: string) {
  const [bin, home, work] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  const fake = join(bin, 'curl');
  await writeFile(fake, `#!/bin/sh\nprintf '%s\\0' "$@" > '${home}/arguments'\n`);
  await chmod(fake, 0o755);
  const env = { ...environment, PATH: `${bin}:${process.env.PATH}` };
  const { status, stderr } = spawnSync(shell, ['-c', command], { cwd: work, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const written = await readFile(join(home, 'arguments'), 'utf8');
  return { args: written.split('\0').slice(0, -1), files: await readdir(work) };
}

/** Masks the secrets of the environment. */
const secrets = new Secrets();
for (const name of ['SERVICE_TOKEN', 'ADMIN_TOKEN'] as const) secrets.add(environment[name], name);

const texts = [
  'R-$AWS_SECRET_ACCESS_KEY',
  `R-\${AWS_SECRET_ACCESS_KEY}`,
  'R-$ADMIN_TOKEN',
  'R-$SERVICE_TOKEN',
  'R-$HOME/$PATH/$$/$?/$1',
  'R-$(touch made-here)',
  'R-`touch made-here`',
  "R-'; touch made-here; '",
  'R-\'"$(touch made-here)"\'',
  'R-"; touch made-here; "',
  'R-\\$(touch made-here)\\',
  'R-!! !touch',
  'R-~ * ? [a] {a,b} #x & | ; < > \t',
  'R-line\ntouch made-here',
];

it.each(['sh', 'bash'].flatMap((shell) => texts.map((text) => [shell, text] as const)))(
  'OP-172: %s passes %j to curl as it was sent',
  async (shell, text) => {
    const sent = answer(text);
    const { curl } = reportedExchange(sent, 'http://127.0.0.1:8080', secrets);
    expect(curl).not.toContain('secret');
    expect(await pasted(shell, curl)).toEqual({
      args: [
        ...['-i', '-X', 'POST', `http://127.0.0.1:8080${sent.call.path}`],
        ...sent.call.headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
        ...['--data-raw', String(sent.call.body)],
      ],
      files: [],
    });
  },
);

it('OP-172: a truncated text is still one argument', async () => {
  const long = `${'"$(touch made-here)'.repeat(300)}'`;
  const { curl, request_body } = reportedExchange(answer(long), 'http://127.0.0.1:8080', secrets);
  const { args, files } = await pasted('sh', curl);
  expect(files).toEqual([]);
  expect(args.at(-1)).toBe(request_body);
  expect(request_body).toHaveLength(4096 + '...'.length);
});
