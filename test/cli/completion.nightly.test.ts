/** `rewards-sandbox completion`: the suggestions of a real bash, and the flags in the scripts for other shells. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';

const commands = [
  'start',
  'check',
  'proxy',
  'mock',
  'certificate',
  'export',
  'import',
  'workspaces',
  'workflows',
  'certify',
  'init',
  'mcp',
  'completion',
];

const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await inProcess(['completion', shell]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    scripts.set(shell, stdout);
  }
});

/** The suggestions of bash for the last of some words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const ask = `eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rewards_sandbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = scripts.get('bash') ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-c', ask, 'bash', script, 'rewards-sandbox', ...words]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  it('suggests every command and the flags of a start if no command is typed', async () => {
    const all = await offered('');
    expect(all.slice(0, commands.length)).toEqual(commands);
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
    expect(scripts.get('bash')).toContain('complete -o default -F _rewards_sandbox rewards-sandbox\n');
  });

  it('treats a word as a command only where a command can be', async () => {
    expect(await offered('--data', 'proxy', '--up')).toEqual([]);
  });
});

it.each(commands)('all scripts have every flag in the help of `%s`', async (name) => {
  const { stdout } = await inProcess([name, '--help']).ended;
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, flag = '']) => flag);
  expect(flags).toContain('help');
  const missing = (script: string, form: (flag: string) => string) =>
    flags.filter((flag) => !script.includes(form(flag)));
  const partOf = (shell: string, from: string) =>
    (scripts.get(shell) ?? '').split('\n').filter((line) => line.includes(from));
  expect({
    bash: missing(partOf('bash', `'${name}') offered=`).join('\n'), (flag) => `--${flag}`),
    zsh: missing(
      (scripts.get('zsh') ?? '').split(`\n_rewards_sandbox_${name}() {`)[1]?.split('\n}')[0] ?? '',
      (flag) => `'*--${flag}[`,
    ),
    fish: missing(partOf('fish', `__fish_seen_subcommand_from ${name}`).join('\n'), (flag) => ` -l ${flag} `),
  }).toEqual({ bash: [], zsh: [], fish: [] });
});

it('an unknown shell is refused with exit code 2 and the list of shells', async () => {
  const { code, stdout, stderr } = await inProcess(['completion', 'tcsh']).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
