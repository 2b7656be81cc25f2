/** Tests `rewards-sandbox completion` in a real bash, and its output for other shells. */
import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';

const bin = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));

/** The commands in the help of a start, which commands.test.ts compares with a list. */
const { stdout: help } = await inProcess(['--help']).ended;
const listed = [...help.slice(0, help.indexOf('\nOptions:')).matchAll(/^ {2}([a-z-]+) {2,}\S/gm)];
const commands = listed.map(([, name = '']) => name);

/** Returns the output of the command. */
async function completion(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await inProcess(['completion', ...args]).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Returns bash's suggestions for the last of the given words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const command = `rewards-sandbox() { '${execPath}' '${bin}' "$@"; }`;
  const ask = `${command}; eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rewards_sandbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = await completion('bash');
  const { stdout } = await promisify(execFile)('bash', ['-c', ask, 'bash', script, 'rewards-sandbox', ...words]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  it('suggests every command and the flags of a start if no command is typed', async () => {
    const all = await offered('');
    expect(all.slice(0, commands.length).toSorted()).toEqual(commands.toSorted());
    expect(all).toEqual(expect.arrayContaining(['--port', '--clock', '--help']));
    expect(await offered('cert')).toEqual(['certificate', 'certify']);
  });

  it('suggests the flags and subcommands of the typed command', async () => {
    expect(await offered('proxy', '--up')).toEqual(['--upstream']);
    expect(await offered('--clock', 'running', '--up')).toEqual([]);
    expect(await offered('certificate', 'v')).toEqual(['verify']);
    expect(await offered('certificate', 'verify', '--w')).toEqual(['--witness-key']);
  });

  it.each([
    [
      ['--clock', ''],
      ['running', 'frozen'],
    ],
    [['start', '--clock', 'f'], ['frozen']],
    [
      ['proxy', '--mode', ''],
      ['report', 'enforce'],
    ],
    [
      ['init', '--lang', 'p'],
      ['python', 'php'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', '--version', '--help'],
    ],
  ])('suggests the values of %j', async (words, values) => {
    expect(await offered(...words)).toEqual(values);
  });

  it('suggests nothing for a free value, and then completes file names', async () => {
    expect(await offered('--data', '')).toEqual([]);
    expect(await offered('mock', '--port', '')).toEqual([]);
    expect(await completion('bash')).toContain('complete -o default -F _rewards_sandbox rewards-sandbox\n');
  });

  it('treats a word as a command only where a command can be', async () => {
    expect(await offered('--data', 'proxy', '--up')).toEqual([]);
  });
});

it.each(commands)('every shell gets each flag in the help of `%s`, zsh and fish with its description', async (name) => {
  const { stdout } = await inProcess([name, '--help']).ended;
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, flag = '']) => flag);
  expect(flags).toContain('help');
  const forms = { bash: '(?=\\n)', zsh: ':\\w', fish: '\\t\\w' };
  for (const [shell, end] of Object.entries(forms)) {
    const lines = await completion(shell, '--', name, '--');
    expect({ shell, missing: flags.filter((flag) => !new RegExp(`^--${flag}${end}`, 'm').test(lines)) }).toEqual({
      shell,
      missing: [],
    });
  }
});

it.each(['zsh', 'fish'])('the script of %s asks the command with the words typed so far', async (shell) => {
  expect(await completion(shell)).toContain(`completion ${shell} -- `);
});

it('an unknown shell is refused with exit code 2 and the list of shells', async () => {
  const { code, stdout, stderr } = await inProcess(['completion', 'tcsh']).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
