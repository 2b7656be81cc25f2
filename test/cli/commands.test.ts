/** Tests the help of each command, and the suggestion for an unknown name. */
import { expect, it } from 'vitest';
import { journeys } from '../../sandbox/workflows/respect.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const commands = [
  'workflows',
  'mock',
  'init',
  'doctor',
  'listen',
  'certify',
  'certificate',
  'check',
  'proxy',
  'compare',
  'verdict',
  'open-points',
  'ready',
  'credentials',
  'workspaces',
  'export',
  'import',
  'mcp',
  'completion',
];

it('the help of the start lists every command before the flags, and is the same as `help` and `help start`', async () => {
  const [flag, word, start, itself] = await Promise.all(
    ['--help', 'help', 'help start', 'help help'].map((text) => inProcess(text.split(' ')).ended),
  );
  expect(flag).toMatchObject({ code: 0, stderr: '' });
  expect([word?.stdout, start?.stdout, itself?.stdout]).toEqual(Array(3).fill(flag?.stdout));
  const text = flag?.stdout ?? '';
  const listed = [...text.slice(0, text.indexOf('\nOptions:')).matchAll(/^ {2}([a-z-]+) {2,}\S/gm)];
  expect(listed.map(([, name]) => name)).toEqual(['start', ...commands]);
});

it.each(commands)('`help %s` is the help of that command', async (name) => {
  const [help, flag] = await Promise.all([inProcess(['help', name]).ended, inProcess([name, '--help']).ended]);
  expect(help).toEqual(flag);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(new RegExp(`^Usage: rewards-sandbox ${name} `));
  expect(help.stdout).toMatch(/^Examples?:\n {2}\S/m);
  if (name !== 'mock') expect(help.stdout).toMatch(/^Exit codes:\n {2}0 /m);
});

it.each(['certificate verify', 'workspaces list'])('`%s --help` has examples and exit codes', async (name) => {
  const help = await inProcess([...name.split(' '), '--help']).ended;
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^Examples:\n {2}\S[\s\S]*^Exit codes:\n {2}0 /m);
});

it.each([
  [['chek'], 'chek', '(Did you mean check?)\n'],
  [['help', 'prxy'], 'prxy', '(Did you mean proxy?)\n'],
  [['zzzzzz'], 'zzzzzz', ''],
])('an unknown command, %j, suggests a similar one and exits with 2', async (args, name, hint) => {
  expect(await inProcess(args).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: unknown command '${name}'\n${hint}Run rewards-sandbox --help for a list of commands.\n`,
  });
});

it('an unknown flag suggests a similar one', async () => {
  const { code, stderr } = await inProcess(['--prot', '3']).ended;
  expect({ code, stderr }).toEqual({ code: 2, stderr: "error: unknown option '--prot'\n(Did you mean --port?)\n" });
});

it('`start` runs if no command is given', async () => {
  const { stop, saw, ended } = inProcess(['start', '--no-docs', '--port', '0', '--data', await temporaryFolder()]);
  await saw(/is ready/);
  stop();
  expect((await ended).code).toBe(0);
});

it('the help of workflows names every journey', async () => {
  expect((await inProcess(['workflows', '--help']).ended).stdout).toContain(journeys.join(', '));
});

it.each([
  ['workspaces', 'list'],
  ['credentials'],
  ['ready'],
  ['open-points'],
  ['verdict'],
  ['listen', '--forward-to', 'http://localhost:8080'],
])('%s exits with 3 if no sandbox responds, and with 2 for an invalid address', async (...command) => {
  expect(await inProcess([...command, '--sandbox', 'http://127.0.0.1:1']).ended).toEqual({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(
      /^No response from the sandbox at http:\/\/127\.0\.0\.1:1 \(.+\)\. Start it with: rewards-sandbox\n$/,
    ),
  });
  for (const address of ['here', 'ftp://here']) {
    const { code, stderr } = await inProcess([...command, '--sandbox', address]).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be an http or https URL.')]);
  }
});
