/** Tests that mistakes in the operator's YAML files are located, and that parsing time grows linearly with file size. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { certificationSchemas, schemaFindings } from '../../sandbox/certification/input.ts';
import { fileSchemas } from '../../sandbox/cli/certify-schema.ts';
import { readYaml } from '../../sandbox/cli/yaml-file.ts';
import { temporaryFolder } from '../harness/folders.ts';

const schemas = fileSchemas(certificationSchemas());
const most = 256 * 1024;

/** Reads a file. Returns the error message and the processor time, in milliseconds. */
async function read(text: string) {
  const file = join(await temporaryFolder(), 'certify.yaml');
  writeFileSync(file, text);
  const before = process.cpuUsage();
  let message = '';
  try {
    readYaml(file, (value) => schemaFindings(schemas, 'CertifyFile', value));
  } catch (error) {
    message = (error as Error).message.replaceAll(file, 'certify.yaml');
  }
  const { user, system } = process.cpuUsage(before);
  return { message, milliseconds: (user + system) / 1000 };
}

const lines = (line: (at: number) => string) => {
  const all: string[] = [];
  for (let at = 0, length = 0; length < most / 2; at += 1) {
    all.push(line(at));
    length += line(at).length + 1;
  }
  return all.join('\n');
};
const nine = (of: string) => `[${Array(9).fill(of).join(',')}]`;
const bomb = ['a: &a [1]', ...[...'bcdefghij'].map((name, at) => `${name}: &${name} ${nine(`*${'abcdefghij'[at]}`)}`)];
const tooMany = 'The file has more than 100 aliases. Write the values out.';
const unresolved = 'An alias refers to itself, or the aliases expand to too many values. Write the values out.';

it.each([
  [
    'broken syntax',
    'api: v1\ncustomers: [A',
    '2:14: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['a key twice', 'api: v1\napi: v2', '2:1: The key api occurs twice in a map. Remove one of them.'],
  ['a key twice below', 'otp: { url: a, url: b }', '1:16: The key url occurs twice in a map. Remove one of them.'],
  ['an alias of nothing', 'api: *a', `1:6: ${unresolved}`],
  ['aliases that multiply', bomb.join('\n'), `2:8: ${unresolved}`],
  ['very many aliases', `a: &a 1\nb: [${'*a, '.repeat(5000)}]`, `2:405: ${tooMany}`],
  ['a misspelt field', 'seed: a\n\nclientUrl: b', '3:1: clientUrl is unknown, did you mean `client_url`?'],
  [
    'a misspelt field below',
    'customers: [A]\notp: { urll: http://a }',
    '2:8: otp.urll is unknown, did you mean `url`?',
  ],
  [
    'an unknown field below',
    'customers: [A]\notp:\n  colour: red',
    '3:3: otp.colour is an unknown field; known: `code`, `url`, `gateway`, `command`',
  ],
  [
    'a misspelt field in JSON',
    '{\n  "customers": ["A"],\n  "tiemout_ms": 5\n}',
    '3:3: tiemout_ms is unknown, did you mean `timeout_ms`?',
  ],
  [
    'a misspelt field of a choice',
    'customers: [A]\nsandbox:\n  url: http://a\n  admin_tokn: b',
    '4:3: sandbox.admin_tokn is unknown, did you mean `admin_token`?',
  ],
  ['deep lists', '['.repeat(10_000), expect.stringMatching(/^1:\d+: The file is nested too deeply\.$/)],
])('a file with %s is refused, with line and column', async (_title, text, expected) => {
  const { message } = await read(text);
  expect(message.replace(/^certify\.yaml:/, '')).toEqual(expected);
});

it('a file of more than 256 KiB is refused', async () => {
  expect((await read('#'.repeat(most + 1))).message).toBe('certify.yaml is larger than 262144 bytes.');
});

it.each([
  ['many keys', lines((at) => `k${at}: 1`)],
  ['many keys in one line', `{${lines((at) => `k${at}: 1,`)}}`],
  ['anchors, each with an alias', lines((at) => `- &a${at} 1\n- *a${at}`)],
  ['a long list', lines(() => '- 1')],
  ['errors on every line', lines(() => 'a: 1: 2')],
])('a file of 128 KiB with %s is read in time that its size explains', async (_title, text) => {
  // A key or item takes about 30 microseconds. Comparing each one with all others took 11 s.
  expect((await read(text)).milliseconds).toBeLessThan(5000);
});
