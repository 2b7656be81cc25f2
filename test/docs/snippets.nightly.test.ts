/** Every curl and JavaScript snippet in the README and the guides behaves as the page says, on a fresh sandbox and in page order. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, shellScript, starts } from '../harness/blocks.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { node, readdressed, shell } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';

const pages = ['README.md', ...globSync('docs/guides/**/*.md', { cwd: root }).sort()].map((path) => ({
  path,
  blocks: blocksOf(join(root, path)),
}));
const shells = ['sh', 'bash', 'shell'];
const modules = ['js', 'ts', 'javascript', 'typescript'];

/** Checks whether a block belongs to a code group. Such a block is a whole file, which test/docs/helper-snippets.nightly.test.ts runs. */
const isLabelled = ({ marks }: Block) => marks[0]?.startsWith('[') === true;

/** Returns the pages that contain blocks in one of the languages. */
function pagesWith(languages: readonly string[]): { path: string; blocks: Block[] }[] {
  return pages
    .map(({ path, blocks }) => ({
      path,
      blocks: blocks.filter((block) => languages.includes(block.language) && !starts(block) && !isLabelled(block)),
    }))
    .filter(({ blocks }) => blocks.length > 0);
}

it('the snippets are found', () => {
  expect(pagesWith(shells).length).toBeGreaterThan(8);
  expect(pagesWith(modules).length).toBeGreaterThan(3);
  const others = pages.flatMap(({ blocks }) => blocks).filter(({ language }) => !shells.includes(language));
  expect(others.filter(({ text }) => /^\s*curl /m.test(text) && !/retry-connrefused/.test(text))).toEqual([]);
});

describe('in the shell', () => {
  it.each(pagesWith(shells))('$path', { timeout: 60_000 }, async ({ blocks }) => {
    const { origin } = await testSandbox();
    const { code, stderr } = await shell(readdressed(shellScript(blocks), origin));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('in JavaScript', () => {
  it.each(pagesWith(modules))('$path', { timeout: 60_000 }, async ({ blocks }) => {
    const { origin } = await testSandbox();
    const { code, stderr } = await node(readdressed(blocks.map(({ text }) => text).join('\n'), origin));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('control: the test detects', () => {
  const block = (text: string, ...marks: string[]) => ({ language: 'sh', marks, text: `${text}\n`, at: 'page.md:7' });
  const fine = block('true');
  const nothing = 'http://127.0.0.1:4010/sandbox/v1/nothing';
  const health = 'http://127.0.0.1:4010/sandbox/v1/health';

  const wrong: [what: string, wrong: Block, code: number][] = [
    ['a call that is refused', block(`curl -s ${nothing}`), 22],
    ['a call that is refused within a pipe', block(`X=$(curl -s ${nothing} | cat)`), 22],
    ['a call that is refused within a function', block(`get() { curl -s "$@"; echo; }\nget ${nothing}`), 22],
    ['a call that is to be refused and is not', block(`curl -s ${health}`, 'refused'), 1],
    ['a variable that is not set', block('echo $NOWHERE'), 1],
  ];
  it('in the shell', async () => {
    const { origin } = await testSandbox();
    for (const [what, block, code] of wrong) {
      const outcome = await shell(readdressed(shellScript([fine, block]), origin));
      const stderr = expect.stringContaining(`page.md:7 ended with ${code}`);
      expect({ what, ...outcome }).toMatchObject({ what, code, stderr });
    }
  });

  it('a module that throws', async () => {
    expect(await node("throw new Error('no')")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Error: no'),
    });
  });
});
