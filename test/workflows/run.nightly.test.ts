/** Runs the journeys with `redocly respect` against a new sandbox, as `npm run workflows` does (OP-56). */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess, run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort } from '../harness/http-server.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { root } from '../harness/sources.ts';

interface HarEntry {
  readonly request: { readonly url: string };
}

/** Runs the command to completion. */
function workflows(args: readonly string[]) {
  return inProcess(['workflows', ...args]).ended;
}

/** Returns each suite of a JUnit report with its counts. */
function suites(xml: string): [name: string, tests: string, failures: string][] {
  const matches = [...xml.matchAll(/<testsuite name="([^"]+)" tests="(\d+)" failures="(\d+)"/g)];
  return matches.map(([, name = '', tests = '', failures = '']) => [name, tests, failures]);
}

describe('OP-56: npm run workflows', () => {
  it('0: all journeys pass, step by step, and the capture has every call', { timeout: 180_000 }, async () => {
    const folder = await temporaryFolder();
    const [junit, har] = [join(folder, 'junit.xml'), join(folder, 'calls.har')];
    const { code, stdout, stderr } = await run(['workflows', '--junit', junit, '--har', har]).ended;
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/\n8 workflows passed\. 86 steps, \d+ checks\.\n$/);
    expect(suites(readFileSync(junit, 'utf8'))).toEqual([
      ['earn', '7', '0'],
      ['sign-in', '5', '0'],
      ['redeem-delivered', '12', '0'],
      ['redeem-rejected', '13', '0'],
      ['insufficient-balance', '8', '0'],
      ['wallet', '16', '0'],
      ['v2-journey', '17', '0'],
      ['webhook-registration', '8', '0'],
    ]);

    // The capture contains each call from the contracts of all parties, but no secret.
    const capture = readFileSync(har, 'utf8');
    const addresses: string[] = JSON.parse(capture).log.entries.map((entry: HarEntry) => entry.request.url);
    expect(addresses).toHaveLength(86);
    for (const prefix of ['/rewards/', '/client/', '/sandbox/v1/'])
      expect(addresses.filter((address) => new URL(address).pathname.startsWith(prefix)).length).toBeGreaterThan(5);
    expect(capture).not.toMatch(/sk_sandbox_|at_sandbox_|pw_|eyJ/);
  });

  it('1: a wrong expectation, with the expected and the actual value, also as JUnit', { timeout: 60_000 }, async () => {
    const folder = await temporaryFolder();
    cpSync(join(root, 'openapi'), folder, { recursive: true, filter: (path) => !path.endsWith('.ts') });
    const file = join(folder, 'workflows/earn.arazzo.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('#/points == 2500', '#/points == 2501'));
    const junit = join(folder, 'junit.xml');
    const { code, stdout, stderr } = await workflows([
      file,
      '--junit',
      junit,
      '--sandbox',
      (await testSandbox()).origin,
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const found = 'expected $response.body#/points == 2501; found $response.body#/points = 2500';
    expect(stderr).toContain('FAILED  earn                    1 of 7 steps');
    expect(stderr).toContain('at reportPayment\n');
    expect(stderr).toMatch(/\n1 of 1 workflow failed: earn\. 7 steps, \d+ checks, 5 not reached\.\n$/);
    const xml = readFileSync(junit, 'utf8');
    expect(suites(xml)).toEqual([['earn', '7', '1']]);
    expect(xml).toContain(`<failure message="${found}" type="success criteria check">`);
    expect(xml.match(/<skipped\/>/g)).toHaveLength(5);
  });

  it.each([
    ['a workflow that is not there', ['earn', 'spend'], /^Unknown workflow: spend\. Use a file, or one of earn, /],
    ['an unknown flag', ['--nonsense'], /unknown option '--nonsense'/],
  ])('2: %s', async (_, args, message) => {
    const { code, stderr } = await workflows(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });

  it('3: no sandbox answers', async () => {
    const nobody = await closedPort();
    const { code, stderr } = await workflows(['earn', '--sandbox', nobody]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `No response from a sandbox at ${nobody} (ECONNREFUSED). Start one, or omit --sandbox.\n`,
    });
  });

  it('3: an invalid document', { timeout: 60_000 }, async () => {
    const file = join(await temporaryFolder(), 'mine.arazzo.yaml');
    writeFileSync(file, 'arazzo: 1.0.1\ninfo: { title: Mine, version: 1.0.0 }\nworkflows: []\n');
    const { code, stderr } = await workflows([file, '--sandbox', (await testSandbox()).origin]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('sourceDescriptions') });
  });
});
