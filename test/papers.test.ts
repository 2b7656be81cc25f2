/** What a stranger reads first: short, there for each folder, and true about the files that it names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const modules = readdirSync(join(root, 'sandbox'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `sandbox/${name}`);
const folders = [...modules, 'tools', 'openapi', 'test'];

/** The files and folders that a page names in code spans: what ends like a file of ours, or in a slash. */
function paths(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => /^[.\w][\w./-]*(\.(ts|js|json|yaml|yml|md|css)|\/)$/.test(span));
}

/** Links of a page to files, without those to the web and to places within the page. */
function links(text: string): string[] {
  const all = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
  return all.filter((to) => !/^(https?:|#)/.test(to)).map((to) => to.replace(/#.*/, ''));
}

/** What is made here and not kept: it is there once somebody has made it. */
const made = read('.gitignore').split('\n');

/** The paths that are neither in the page's folder nor counted from the root. */
function missing(folder: string, named: readonly string[]): string[] {
  const isThere = (path: string) => existsSync(join(root, folder, path)) || existsSync(join(root, path));
  return named.filter((path) => !isThere(path) && !made.includes(path));
}

describe.each(folders)('%s/README.md', (folder) => {
  it('is 10 to 25 lines long', () => {
    const lines = read(`${folder}/README.md`).trimEnd().split('\n').length;
    expect({ enough: lines >= 10, short: lines <= 25 }).toEqual({ enough: true, short: true });
  });

  it('names its main files and how to add to them, and each file that it names is there', () => {
    const text = read(`${folder}/README.md`);
    const named = paths(text);
    expect(named.length).toBeGreaterThan(3);
    expect(missing(folder, [...named, ...links(text)])).toEqual([]);
    expect(text).toMatch(/^To (add|change) /m);
    if (modules.includes(folder)) expect(text).toMatch(/^May import: /m);
  });
});

describe('sandbox/README.md', () => {
  const text = read('sandbox/README.md');

  it('names at most six files that a call passes between its connection and its handler', () => {
    const passed = [...text.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path = '']) => path);
    expect(passed.at(0)).toBe('server/listen.ts');
    expect(passed.at(-1)).toBe('contract/operation.ts');
    expect(passed.length).toBeLessThanOrEqual(6);
    expect(missing('sandbox', passed)).toEqual([]);
  });

  it('names every module', () => {
    expect(modules.filter((module) => !text.includes(`\`${module.slice('sandbox/'.length)}/\``))).toEqual([]);
  });
});

describe('README.md', () => {
  it('is a page or two, and each of its links to files leads to one', () => {
    const text = read('README.md');
    expect(text.split('\n').length).toBeLessThan(140);
    expect(links(text).length).toBeGreaterThan(15);
    expect(missing('', links(text))).toEqual([]);
  });

  it('has the two commands', () => {
    expect(read('README.md')).toContain('```sh\nnpm ci && npm start\n```');
    expect(read('README.md')).toContain('```sh\nnpm ci && npm test\n```');
  });
});

describe('CI, as README.md shows it', () => {
  it('is five steps of one command each', () => {
    const [, block = ''] = /```yaml\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
    const steps = parse(block) as { run: string }[];
    expect(steps.map((step) => Object.keys(step))).toEqual(Array(5).fill(['run']));
    expect(steps.at(-1)?.run).toMatch(/^test "\$\(curl .*\| jq .*\)" = 0$/);
  });
});

describe('CONTRIBUTING.md', () => {
  it('names files that are there, and scripts that package.json has', () => {
    const text = read('CONTRIBUTING.md');
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const ran = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
    expect(paths(text).length).toBeGreaterThan(30);
    expect(missing('', [...paths(text), ...links(text)])).toEqual([]);
    expect(ran.filter((script) => scripts[script] === undefined)).toEqual([]);
  });

  it('runs test files that are there', () => {
    const named = [...read('CONTRIBUTING.md').matchAll(/npm test -- ([^`]+)`/g)].flatMap(([, files = '']) =>
      files.split(/\s+/),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(
      missing(
        '',
        named.filter((file) => !file.includes('<')),
      ),
    ).toEqual([]);
  });
});

describe('the other papers', () => {
  it('LICENSE grants none, as package.json says', () => {
    expect(JSON.parse(read('package.json'))).toMatchObject({ license: 'UNLICENSED', private: true });
    expect(read('LICENSE')).toContain('All rights reserved.');
    expect(read('LICENSE')).toContain('No licence is granted.');
  });

  it('.editorconfig is as the formatter has it', () => {
    const { formatter } = JSON.parse(read('.biome.json')) as { formatter: Record<string, unknown> };
    const { indentStyle, indentWidth, lineWidth } = formatter;
    const lines = read('.editorconfig').split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `indent_style = ${indentStyle}`,
        `indent_size = ${indentWidth}`,
        `max_line_length = ${lineWidth}`,
        'charset = utf-8',
        'end_of_line = lf',
        'insert_final_newline = true',
      ]),
    );
  });

  it('the CI workflow runs .ci/run and may read only', () => {
    const workflow = parse(read('.github/workflows/ci.yml')) as {
      permissions: object;
      jobs: Record<string, { 'timeout-minutes': number; steps: { uses?: string; run?: string }[] }>;
    };
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const jobs = Object.values(workflow.jobs);
    expect(jobs.map((job) => job['timeout-minutes'])).toEqual([60]);
    const steps = jobs.flatMap(({ steps }) => steps);
    expect(steps.filter(({ run }) => run?.endsWith('.ci/run')).length).toBe(1);
    expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !/@v\d+\.\d+\.\d+$/.test(uses))).toEqual([]);
    expect(read('.github/workflows/ci.yml')).not.toContain('secrets.');
  });
});
