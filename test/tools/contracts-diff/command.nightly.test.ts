/** Tests `npm run contracts:diff`: the compared versions, the output, the written files and the exit codes (OP-58). */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { contract, type Operation, object, query, reply, text } from './contracts.ts';

const program = fileURLToPath(new URL('../../../tools/contracts-diff/diff.ts', import.meta.url));
const folders: string[] = [];
/** Limits Git to the test folders, even if a Git hook runs the tests. */
const own = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_CEILING_DIRECTORIES: tmpdir(),
};

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a folder with this project's layout and one contract. */
function project(version: string, ...operations: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
  folders.push(folder);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/changelog.md'), '# Changelog\n\n## 0.1.0\n\nFirst release.\n');
  write(folder, version, ...operations);
  return folder;
}

function write(folder: string, version: string, ...operations: readonly string[]): void {
  const each = operations.map((name): [string, Operation] => [
    name,
    name === 'list' ? query() : reply(object({ a: text })),
  ]);
  const bundle = contract(Object.fromEntries(each), { info: { title: 'Small', version } });
  for (const [file, lines] of [
    ['generated/small/bundle.json', 0],
    ['openapi/small.yaml', 2],
  ] as const) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(bundle, null, lines));
  }
}

function git(folder: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, ...own },
  });
}

/** Makes the project a Git repository with one commit and these release tags. */
function withReleases(folder: string, ...tags: readonly string[]): string {
  git(folder, 'init');
  git(folder, 'add', '.');
  git(folder, 'commit', '-m', 'One');
  for (const tag of tags) git(folder, 'tag', tag);
  return folder;
}

function diff(folder: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const options = {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...own, ...env },
  } as const;
  const { status, stdout, stderr } = spawnSync(execPath, [program, ...args], options);
  return { status, stdout, stderr };
}

describe('with a release', () => {
  it('1, OP-40: a version that does not match, the one that would, each change with its line, and the entry of the changelog', () => {
    const folder = withReleases(project('1.0.0', 'list', 'show'), 'v0.1.0');
    write(folder, '1.1.0', 'list');
    expect(diff(folder)).toEqual({
      status: 1,
      stderr: '',
      stdout: `Compared with v0.1.0.
small 1.0.0 -> 1.1.0: does not match, the changes are breaking. Set info.version in openapi/small.yaml to 2.0.0.
  breaking       Operation \`POST /show\` was removed.
                 show  /paths/~1show/post  openapi/small.yaml:18
                 What you must do: Do without it.

For docs/changelog.md (--write puts it there):

### Contracts

Changes since v0.1.0, as \`npm run contracts:diff -- --write\` finds them; it replaces what stands here.

- **small** 1.0.0 to 1.1.0
  - **Breaking**: Operation \`POST /show\` was removed (show). What you must do: Do without it.
`,
    });
  });

  it('0: a version that matches; --json prints the report, and --write the entry, and can be repeated', () => {
    const folder = withReleases(project('1.0.0', 'list'), 'v0.1.0');
    write(folder, '1.1.0', 'list', 'show');
    const { status, stdout } = diff(folder, ['--json', '--write']);
    const change = {
      contract: 'small',
      rating: 'additive',
      sentence: 'Operation `POST /show` was added.',
      operations: ['show'],
      pointer: '/paths/~1show/post',
      file: 'openapi/small.yaml',
      line: 32,
    };
    const small = {
      contract: 'small',
      before: '1.0.0',
      after: '1.1.0',
      rating: 'additive',
      version: { matches: true },
    };
    expect({ status, report: JSON.parse(stdout) }).toEqual({
      status: 0,
      report: { format: 1, against: 'v0.1.0', matches: true, contracts: [{ ...small, changes: [change] }] },
    });
    const changelog = readFileSync(join(folder, 'docs/changelog.md'), 'utf8');
    expect(changelog).toContain('## Unreleased\n\n### Contracts\n\nChanges since v0.1.0');
    expect(changelog).toContain(
      '- **small** 1.0.0 to 1.1.0\n  - Additive: Operation `POST /show` was added (show).\n\n## 0.1.0',
    );
    diff(folder, ['--write']);
    expect(readFileSync(join(folder, 'docs/changelog.md'), 'utf8')).toBe(changelog);
  });

  it('the last release is the highest tag of three numbers, and nothing else', () => {
    const folder = withReleases(project('1.0.0', 'list'), 'v0.9.0', 'v0.10.0', 'v1.0.0-rc.1', 'vnext');
    expect(diff(folder)).toEqual({
      status: 0,
      stderr: '',
      stdout: 'Compared with v0.10.0.\nsmall 1.0.0: no change\n',
    });
  });

  it('--against names another commit, or a folder; a raised version without a change gets a note', () => {
    const folder = withReleases(project('1.0.0', 'list'));
    write(folder, '1.0.1', 'list');
    const other = project('1.0.0', 'list');
    const stdout = (name: string) =>
      `Compared with ${name}.\nsmall 1.0.0 -> 1.0.1: no change (info.version is raised without a change)\n`;
    expect(diff(folder, ['--against', 'main'])).toEqual({ status: 0, stderr: '', stdout: stdout('main') });
    expect(diff(folder, ['--against', other])).toEqual({ status: 0, stderr: '', stdout: stdout(other) });
  });

  it('a removed contract, and a new one without its operations', () => {
    const folder = withReleases(project('1.0.0', 'list'), 'v0.1.0');
    write(folder, '1.0.0', 'show');
    renameSync(join(folder, 'generated/small'), join(folder, 'generated/other'));
    const { status, stdout } = diff(folder, ['--json']);
    const { contracts } = JSON.parse(stdout);
    expect({ status, contracts }).toMatchObject({
      status: 0,
      contracts: [
        { contract: 'other', after: '1.0.0', rating: 'additive' },
        { contract: 'small', before: '1.0.0', rating: 'breaking' },
      ],
    });
  });
});

describe('without a release', () => {
  it('0: no release yet, every contract is new', () => {
    const { status, stdout } = diff(withReleases(project('1.0.0', 'list')));
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `There is no release yet: every contract is new.
small 1.0.0: new
`,
    });
  });

  const cases: [what: string, folder: () => string, args: string[], env: NodeJS.ProcessEnv, reason: RegExp][] = [
    [
      'an unknown commit',
      () => withReleases(project('1.0.0', 'list')),
      ['--against', 'v9'],
      {},
      /v9 is no folder, and git knows no commit of that name\.\n$/,
    ],
    ['no repository', () => project('1.0.0', 'list'), [], {}, /cannot run git here: fatal: not a git repository/],
    ['no git', () => project('1.0.0', 'list'), [], { PATH: '/nowhere' }, /git does not run: /],
    [
      'no contracts there',
      () => withReleases(project('1.0.0', 'list')),
      ['--against', 'docs'],
      {},
      /There is no generated\/\*\/bundle\.json in \S+docs\.\n$/,
    ],
  ];

  it.each(cases)('3: %s', (_, folder, args, env, reason) => {
    const { status, stdout, stderr } = diff(folder(), args, env);
    expect({ status, stdout, stderr }).toEqual({ status: 3, stdout: '', stderr: expect.stringMatching(reason) });
    expect(stderr).toMatch(/^The contracts cannot be compared\. /);
  });

  it('3: a shallow clone without tags; with --if-possible, 0, and it says that nothing was compared', () => {
    const folder = clone(withReleases(project('1.0.0', 'list')));
    const reason = 'This clone is shallow and has no release tag; get them with `git fetch --tags --unshallow`.\n';
    expect(diff(folder)).toEqual({ status: 3, stdout: '', stderr: `The contracts cannot be compared. ${reason}` });
    expect(diff(folder, ['--if-possible'])).toEqual({
      status: 0,
      stdout: '',
      stderr: `The contracts were not compared with a release. ${reason}`,
    });
  });

  it('2: an unknown flag; 0: --help', () => {
    const folder = project('1.0.0', 'list');
    expect(diff(folder, ['--agianst', 'v1'])).toEqual({
      status: 2,
      stdout: '',
      stderr: "error: unknown option '--agianst'\n(Did you mean --against?)\n",
    });
    expect(diff(folder, ['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Exit codes:') });
  });
});

function clone(folder: string): string {
  const target = mkdtempSync(join(tmpdir(), 'contracts-'));
  folders.push(target);
  git(folder, 'commit', '--allow-empty', '-m', 'Two');
  git(folder, 'clone', '--depth', '1', `file://${folder}`, target);
  return target;
}
