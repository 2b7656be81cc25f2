/** Commands by their names: help for each, and a hint where there is none of that name. */
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const commands = [
  'check',
  'proxy',
  'mock',
  'workflows',
  'certify',
  'certificate',
  'init',
  'export',
  'import',
  'completion',
  'mcp',
  'workspaces',
];

it('the help of the start lists every command with an example, and is the one of `help` and of `help start`', async () => {
  const [flag, word, start, itself] = await Promise.all(
    ['--help', 'help', 'help start', 'help help'].map((text) => inProcess(text.split(' ')).ended),
  );
  expect(flag).toMatchObject({ code: 0, stderr: '' });
  expect([word?.stdout, start?.stdout, itself?.stdout]).toEqual(Array(3).fill(flag?.stdout));
  const listed = [...(flag?.stdout ?? '').matchAll(/^ {2}([a-z]+) {2,}.*? {2,}rewards-sandbox ([a-z]+) \S/gm)];
  expect(listed.map(([, name, example]) => [name, example])).toEqual(commands.map((name) => [name, name]));
});

it.each(commands)('`help %s` is the help of that command', async (name) => {
  const [help, flag] = await Promise.all([inProcess(['help', name]).ended, inProcess([name, '--help']).ended]);
  expect(help).toEqual(flag);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(new RegExp(`^Usage: rewards-sandbox ${name} `));
});

it.each([
  [['chek'], 'chek', '(Did you mean check?)\n'],
  [['help', 'prxy'], 'prxy', '(Did you mean proxy?)\n'],
  [['zzzzzz'], 'zzzzzz', ''],
])('a command that there is not, %j, names the one that may be meant, and ends with 2', async (args, name, hint) => {
  expect(await inProcess(args).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: unknown command '${name}'\n${hint}Run rewards-sandbox --help for a list of commands.\n`,
  });
});

it('a flag that there is not names the one that may be meant', async () => {
  const { code, stderr } = await inProcess(['--prot', '3']).ended;
  expect({ code, stderr }).toEqual({ code: 2, stderr: "error: unknown option '--prot'\n(Did you mean --port?)\n" });
});

it('`start` is what is done where no command is named', async () => {
  const { stop, saw, ended } = inProcess(['start', '--no-docs', '--port', '0', '--data', await temporaryFolder()]);
  await saw(/is ready/);
  stop();
  expect((await ended).code).toBe(0);
});
