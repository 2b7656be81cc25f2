/** Tests that mistakes in `answers.yaml` are reported with line and column, and have no effect (OP-251). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

async function answersFile(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'answers.yaml');
  await writeFile(file, text);
  return file;
}

const point = (id: string, answer: string, more = '') =>
  `answers:\n  ${id}:\n    answer: ${answer}\n    by: Jane Doe\n    date: 2026-11-28\n${more}`;

const mistakes = [
  ['an unknown point', point('OP-250', 'agreed'), '2:3: answers.OP-250 is not an open point'],
  ['an unknown word', point('OP-08', 'maybe'), '3:5: answers.OP-08.answer must be'],
  [
    'a point without a setting',
    point('OP-08', 'settled', '    value: { fee: 1 }\n'),
    '3:5: answers.OP-08.answer cannot be',
  ],
  [
    'a wrong value',
    point('OP-30', 'settled', '    value: { rate_limit: many }\n'),
    '6:14: answers.OP-30.value.rate_limit must',
  ],
  ['the same point twice', `${point('OP-08', 'agreed')}  OP-08: {}\n`, '6:3: The key OP-08 occurs twice in a map.'],
  ['10 MB', '#'.repeat(10 * 1024 * 1024), ' is larger than 262144 bytes.'],
] as const;

it.each(mistakes)('OP-251: %s is refused by every command that reads answers', async (_, text, message) => {
  const file = await answersFile(text);
  const certify = ['certify', '--client-url', 'http://127.0.0.1:1', '--customer', 'CUST0001'];
  const commands = [
    ['check', '-'],
    ['open-points', '--capture', '-'],
    ['proxy', '--port', '0', '--upstream', 'client=http://127.0.0.1:1'],
    ['certificate', 'verify', file],
    certify,
    ['--port', '0', '--store', 'memory'],
  ];
  for (const command of commands) {
    const { code, stdout, stderr } = await inProcess([...command, '--answers', file]).ended;
    expect([command[0], code, stdout]).toEqual([command[0], 2, '']);
    expect(stderr.replaceAll(`${file}:`, '')).toContain(message);
  }
});

it('OP-251: a start takes the answers for the demo workspace', async () => {
  const file = await answersFile(point('OP-30', 'settled', '    value: { rate_limit: 500 }\n'));
  const running = inProcess(['--port', '0', '--store', 'memory', '--json', '--answers', file]);
  const [, url] = await running.saw(/"sandbox":"([^"]+)"/);
  const workspace = (await (await fetch(`${url}/workspace`)).json()) as { settings: { rate_limit: number } };
  expect(workspace.settings.rate_limit).toBe(500);
  running.stop();
  expect((await running.ended).code).toBe(0);
});
