/**
 * Scripts of several modules, as the dashboard's, are sent as they are: only what their imports name is put in (OP-98).
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { readModules } from '../../sandbox/sites/modules.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';

/** The folder of a script, with these modules in it. */
async function folderOf(modules: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'modules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'browser'));
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, 'browser', name), text);
  return pathToFileURL(join(folder, 'browser/'));
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
  const assets = readModules(await folderOf({ 'main.js': words, 'parts.js': parts }), 'main.js').all;
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

it('a part that is loaded on demand is an asset too, and is not needed before', async () => {
  const folder = await folderOf({
    'main.js': `import './base.js';\nexport const show = () => import('./screen.js');\nexport const rest = () => import("./rest.js");\n`,
    'base.js': 'export {};\n',
    'screen.js': `import './base.js';\nimport './list.js';\n`,
    'rest.js': `import './list.js';\n`,
    'list.js': 'export {};\n',
  });
  const modules = readModules(folder, 'main.js');
  const names = (assets: typeof modules.all) => assets.map(({ name }) => name.replace(/-[0-9a-f]{12}\.js$/, ''));
  expect(names(modules.all)).toEqual(['main', 'base', 'screen', 'list', 'rest']);
  expect(names(modules.with('screen'))).toEqual(['main', 'base', 'screen', 'list']);
  const nameOf = (label: string) => modules.all.find(({ name }) => name.startsWith(label))?.name;
  expect(modules.all[0]?.text).toBe(
    `import './${nameOf('base')}';\nexport const show = () => import('./${nameOf('screen')}');\n` +
      `export const rest = () => import('./${nameOf('rest')}');\n`,
  );
  expect(() => modules.with('elsewhere')).toThrow('There is no module elsewhere.');
});

it('a change of one module changes the name of every one', async () => {
  const names = async (text: string) =>
    readModules(await folderOf({ 'main.js': words, 'parts.js': text }), 'main.js').all.map((asset) => asset.name);
  const [before, after] = [await names(parts), await names(`${parts}//`)];
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  expect(await names(parts)).toEqual(before);
});

it('a module that is not there is refused, and so is one that is not JavaScript', async () => {
  expect(() => readModules(new URL('dashboard/', import.meta.url), 'main.js')).toThrow('ENOENT');
  const folder = await folderOf({ 'main.js': `import { from './parts.js'` });
  expect(() => readModules(folder, 'main.js')).toThrow('Parse error');
});

it('what pages load goes out compressed to whoever takes that, and says that it depends on it (RFC 9110, 12.5.3)', async () => {
  const { origin, urls } = await testSandbox();
  const { text } = await look(`${urls.dashboard}/`);
  const [path = ''] = /\/assets\/main-[^"]+/.exec(text) ?? [];
  const plain = await fetch(origin + path, { headers: { 'Accept-Encoding': 'identity' } });
  const small = await fetch(origin + path, { headers: { 'Accept-Encoding': 'gzip' } });
  const of = ({ headers }: Response) => [headers.get('content-encoding'), headers.get('vary')];
  expect([of(plain), of(small)]).toEqual([
    [null, 'Accept-Encoding'],
    ['gzip', 'Accept-Encoding'],
  ]);
  expect(await small.text()).toBe(await plain.text());
  expect(Number(small.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 2);
});
