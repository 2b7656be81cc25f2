/**
 * Scripts of several modules, as the dashboard's, are sent as they are: only what their imports name is put in (OP-98).
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { readModules } from '../../sandbox/web/modules.ts';

/** The folder of a script, with these modules in it. */
async function folderOf(modules: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'modules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'dashboard'));
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, 'dashboard', name), text);
  return pathToFileURL(join(folder, 'dashboard/'));
}

const [parts, words] = [
  `export const parts = 1;\n`,
  `// Taken from "./nowhere.js".
import { parts } from './parts.js';
import './parts.js'; export * from "./parts.js";
const text = 'import "./nothing.js" from "./nowhere.js"';
export const shown = /from "x"/.test(\`from './none.js'\`) ? text : parts;
`,
];

it('each import names the asset of its module; a comment, a string or a pattern that reads like one is left alone', async () => {
  const assets = readModules(await folderOf({ 'main.js': words, 'parts.js': parts }), 'main.js');
  const name = assets[1]?.name ?? '';
  expect(name).toMatch(/^parts-[0-9a-f]{12}\.js$/);
  const main = `// Taken from "./nowhere.js".
import { parts } from './${name}';
import './${name}'; export * from "./${name}";
const text = 'import "./nothing.js" from "./nowhere.js"';
export const shown = /from "x"/.test(\`from './none.js'\`) ? text : parts;
`;
  expect(assets.map(({ text }) => text)).toEqual([main, parts]);
});

it('a change of one module changes the name of every one', async () => {
  const names = async (text: string) =>
    readModules(await folderOf({ 'main.js': words, 'parts.js': text }), 'main.js').map((asset) => asset.name);
  const [before, after] = [await names(parts), await names(`${parts}//`)];
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  expect(await names(parts)).toEqual(before);
});

it('a module that is not there is refused, and so is one that is not JavaScript', async () => {
  expect(() => readModules(new URL('dashboard/', import.meta.url), 'main.js')).toThrow('ENOENT');
  const folder = await folderOf({ 'main.js': `import { from './parts.js'` });
  expect(() => readModules(folder, 'main.js')).toThrow('Parse error');
});
