/** Tests `rewards-sandbox init`, which copies an example client server. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const languages = ['node', 'python', 'fastapi', 'spring', 'java', 'go', 'php', 'csharp'];

/** Files that `init` copies from outside the example, keyed by their path in a server of that language. */
const more: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  spring: {
    'src/main/openapi/client.generators.json': 'generated/client/generators.json',
    'src/main/openapi/v2-client.generators.json': 'generated/v2-client/generators.json',
    'src/test/java/com/example/rewards/RewardsSandbox.java':
      'examples/testing/java/src/main/java/com/example/rewards/RewardsSandbox.java',
  },
};

/** Returns the paths of an example's files in the repository. */
function repositoryFiles(language: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--', `examples/${language}`], { cwd: root, encoding: 'utf8' });
  return listed
    .trim()
    .split('\n')
    .map((path) => path.slice(`examples/${language}/`.length))
    .sort();
}

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => path.slice(folder.length + 1)).sort();
}

describe.each(languages)('init --lang %s', (language) => {
  it('copies README, tests, CI file and server completely, and prints the next steps', async () => {
    const folder = join(await temporaryFolder(), 'points');
    const { code, stdout, stderr } = await inProcess(['init', '--lang', language, folder]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`cd ${folder}\n`);
    const copied = await files(folder);
    const own = repositoryFiles(language);
    const others: Record<string, string> = { 'certify.yaml': 'examples/starter/certify.yaml', ...more[language] };
    const workflow = '.github/workflows/certify.yml';
    expect(copied).toEqual([...own, ...Object.keys(others), workflow].sort());
    expect(own).toContain('README.md');
    expect(copied.some((path) => /test/i.test(path))).toBe(true);
    for (const path of copied.filter((path) => path !== workflow)) {
      const source = others[path] ?? join('examples', language, path);
      expect(await readFile(join(folder, path))).toEqual(await readFile(join(root, source)));
    }
    const { jobs } = parse(await readFile(join(folder, workflow), 'utf8'));
    const steps: { uses?: string; run?: string }[] = jobs.certify.steps;
    expect(steps.filter(({ uses, run }) => (uses === undefined) === (run === undefined))).toEqual([]);
    expect(steps.flatMap(({ uses = [] }) => uses).filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    const commands = steps.flatMap(({ run = [] }) => run).join('\n');
    expect(commands).not.toMatch(/\b(SETUP|TEST|BUILD|START)\b/);
    const [start = ''] =
      stdout
        .split('\n')
        .filter((line) => line.startsWith('  '))
        .slice(2)
        .at(-2)
        ?.match(/\S.*/) ?? [];
    expect(commands).toContain(`TOKEN_SECONDS=30 ${start} > server.log`);
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    for (const step of stdout.split('\n').slice(2, -5)) expect(readme).toContain(step.trim());
  });
});

it('an empty folder is accepted, and one with any file is refused and stays unchanged', async () => {
  const folder = await temporaryFolder();
  const [empty, full] = [join(folder, 'empty'), join(folder, 'full')];
  for (const path of [empty, full]) await mkdir(path);
  await writeFile(join(full, 'mine.txt'), 'mine');
  expect(await inProcess(['init', '--lang', 'go', empty]).ended).toMatchObject({ code: 0 });
  expect(await inProcess(['init', '--lang', 'go', full]).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `${full} is not empty, and existing files are never overwritten. Choose another folder.\n`,
  });
  expect(await files(full)).toEqual(['mine.txt']);
});

it('an unknown language is refused with the list, and a missing one is refused with the flag', async () => {
  const folder = join(await temporaryFolder(), 'points');
  const unknown = await inProcess(['init', '--lang', 'cobol', folder]).ended;
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('node, python, fastapi, spring, java, go, php, csharp');
  const none = await inProcess(['init', folder]).ended;
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('--lang <language>');
});

it('a path that is not a folder is refused', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const { code, stderr } = await inProcess(['init', '--lang', 'node', file]).ended;
  expect(code).toBe(3);
  expect(stderr).toContain(`Cannot write to ${file}: `);
});

it('the package contains the examples', async () => {
  const { files: packed } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: string[] };
  expect(packed).toContain('examples');
});
