/** The repository's own documents (READMEs, CONTRIBUTING, SECURITY and the workflows) refer only to existing files and scripts. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = execFileSync('git', ['ls-files', '*.md', ':!docs', ':!examples'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(root, path)));

/** Returns the files and folders that a page names in code spans: text that ends with a known file extension or a slash. */
function paths(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => /^[.\w][\w./-]*(\.(ts|js|json|yaml|yml|md|css)|\/)$/.test(span));
}

/** Returns the source files that a page's diagrams name. Diagrams are code blocks without a language. */
function drawnFiles(text: string): string[] {
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, language, block = '']) =>
    language === '' ? [block] : [],
  );
  return blocks.flatMap((block) => block.match(/(?<![\w.-])[\w./-]*[\w-]\.(?:ts|tsx|js|sql)\b/g) ?? []);
}

/** Returns a page's links to files, excluding web links and links within the page. */
function links(text: string): string[] {
  const all = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
  return all.filter((to) => !/^(https?:|#)/.test(to)).map((to) => to.replace(/#.*/, ''));
}

/** Generated files that git ignores. They exist only after generation. */
const ignored = read('.gitignore').split('\n');

/** Returns the paths that exist neither relative to the page's folder nor to the root. */
function missing(folder: string, named: readonly string[]): string[] {
  const exists = (path: string) => existsSync(join(root, folder, path)) || existsSync(join(root, path));
  return named.filter((path) => !exists(path) && !ignored.includes(path));
}

it('control: the documents are found', () => {
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'sandbox/README.md', 'test/README.md']),
  );
});

it.each(documents)('%s: each linked file, each named file and each file in a diagram exists', (path) => {
  const text = read(path);
  expect(missing(dirname(path), [...links(text), ...paths(text), ...drawnFiles(text)])).toEqual([]);
});

it.each(documents)('%s: each npm script and each test file exists', (path) => {
  const text = read(path);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const ran = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
  expect(ran.filter((script) => scripts[script] === undefined)).toEqual([]);
  const byGate = [...text.matchAll(/npm test -- ([^`]+)`/g)].map(([, files = '']) => files);
  expect(byGate.filter((files) => files.includes('.nightly.'))).toEqual([]);
  const tests = [...text.matchAll(/npm (?:test|run test:\w+) -- ([^`]+)`/g)].flatMap(([, files = '']) =>
    files.split(/\s+/),
  );
  expect(
    missing(
      '',
      tests.filter((file) => file.startsWith('test/') && !file.includes('<')),
    ),
  ).toEqual([]);
});

describe('README.md', () => {
  it('has the two commands', () => {
    expect(read('README.md')).toContain('```sh\nnpm ci && npm start\n```');
    expect(read('README.md')).toContain('```sh\nnpm ci && npm test\n```');
  });
});

describe.each(globSync('.github/workflows/*.yml', { cwd: root }).toSorted())('%s', (path) => {
  const text = read(path);
  const workflow = parse(text) as {
    permissions: object;
    jobs: Record<string, { 'timeout-minutes': number; permissions?: object; steps: { uses?: string; run?: string }[] }>;
  };
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it('has read-only permissions, but for the job that pushes the published pages, and uses no secret', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const writing = Object.keys(workflow.jobs).filter((name) => workflow.jobs[name]?.permissions !== undefined);
    expect(writing).toEqual(path.endsWith('pages.yml') ? ['publish'] : []);
    expect(text).not.toContain('secrets.');
  });

  it('each of its jobs has a time limit, and runs scripts that exist', () => {
    const most = path.endsWith('ci.yml') ? 15 : 75;
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(most);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const ran = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script),
    );
    expect(ran.filter((script) => scripts[script] === undefined)).toEqual([]);
  });
});

describe('workflows and container files, also those that pages show', () => {
  const tracked = ['.github', '.devcontainer', 'docs', 'examples', 'skills', 'action.yml', '*.md'];
  const files = execFileSync('git', ['ls-files', ...tracked], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  const texts = files.filter((path) => existsSync(join(root, path)) && !path.endsWith('.png')).map(read);
  const found = (pattern: RegExp) => texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));

  it('name each action by one commit, with its version in a comment', () => {
    const uses = found(/^ *(?:- )?uses: (?!\.\/)(.*)$/gm);
    expect(uses.filter((use) => !/^[\w/.-]+@[0-9a-f]{40} # v?\d+\.\d+\.\d+$/.test(use))).toEqual([]);
    const pinned = [...new Set(uses)];
    const actions = pinned.map((use) => use.replace(/@.*/, '')).toSorted();
    expect(actions).toEqual([...new Set(actions)]);
    expect(actions).toEqual(expect.arrayContaining(['actions/checkout', 'actions/upload-artifact']));
  });

  it('name each image by tag and digest', () => {
    const images = found(/^ *(?:"?image"?: "?|FROM |ARG BASE=|default: (?=\w+:\d))([^\s"$]+:[^\s"]*)/gm);
    expect(images.filter((image) => !/^[\w/.-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    const names = images.map((image) => image.replace(/:.*/, ''));
    expect(new Set(names)).toEqual(new Set(['node', 'postgres', 'caddy', 'jaegertracing/jaeger']));
  });
});
