/**
 * Generates the reference: one Redoc page for each contract. Redoc renders a copy of the contract that includes samples
 * and the basis of each element.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { contractsOf } from '../../sandbox/apis/registry.ts';
import { showBasis } from './basis.ts';
import { operationsOf, readBundle, referenced } from './bundles.ts';
import { consoleCallsOf, consoleContracts } from './console-calls.ts';
import { root } from './content.ts';
import { demoValues } from './demo-values.ts';
import { frameOf } from './frame.ts';
import { prerendered } from './prerender.ts';
import { type Called, givenOf } from './request.ts';
import { samplesOf } from './samples.ts';

/** Contracts of pages that browsers open. Programs do not call them. */
const pages: ReadonlySet<string> = new Set(contractsOf(({ calledBy }) => calledBy === 'browsers'));

const own = join(import.meta.dirname, 'reference');
const redoc = join(root, 'node_modules/@redocly/cli/lib/chunks/redoc.standalone.js');

/** Writes the reference into a built site. */
export async function writeReference(site: string): Promise<void> {
  const folder = join(site, 'reference');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'redoc.standalone.js'), redocWithoutNetwork());
  for (const name of ['reference.js', 'reference.css', 'frame.css', 'start.js'])
    copyFileSync(join(own, name), join(folder, name));
  copyFileSync(join(root, 'sandbox/sites/assets/pages/tokens.css'), join(folder, 'tokens.css'));
  // The guides use the same modules.
  const input = ['published', 'answers'].map((name) => join(root, `docs/.vitepress/theme/${name}.ts`));
  await build({ input, platform: 'browser', output: { dir: folder, format: 'esm', chunkFileNames: '[name].js' } });
  await writeConsole(folder);
  const template = readFileSync(join(own, 'page.html'), 'utf8');
  const styles = await Promise.all(
    referenced.map(async (api) => {
      const contract = join(folder, `${api}.json`);
      writeFileSync(contract, JSON.stringify(contractWithSamples(api)));
      const { style, html } = await prerendered(contract);
      writeFileSync(join(folder, `${api}.html`), page(template, api, html));
      return style;
    }),
  );
  const [style = '', ...others] = new Set(styles);
  if (others.length > 0) throw new Error('The references no longer share one style.');
  writeFileSync(join(folder, 'redoc.css'), style);
}

/** Writes the console: its script, its style, and its data for each contract. */
async function writeConsole(folder: string): Promise<void> {
  const target = join(folder, 'console');
  mkdirSync(target);
  copyFileSync(join(own, 'console/console.css'), join(target, 'console.css'));
  const input = join(own, 'console/console.js');
  await build({ input, platform: 'browser', output: { dir: target, format: 'esm', minify: true } });
  for (const api of consoleContracts) writeFileSync(join(target, `${api}.json`), JSON.stringify(consoleCallsOf(api)));
}

/** Returns a contract with samples and the basis of each element. */
export function contractWithSamples(api: string): object {
  const bundle = readBundle(api);
  for (const { method, path, operation } of operationsOf(bundle)) {
    if (pages.has(api)) continue;
    const called = { bundle, api, method, path, operation };
    Object.assign(operation, { 'x-codeSamples': samplesOf(called) });
    showSentBody(called);
  }
  showBasis(bundle as never);
  return bundle;
}

/** Replaces the contract's first example with the body that the samples send, if they differ. */
function showSentBody(called: Called): void {
  const { operationId, requestBody } = called.operation;
  const examples = requestBody?.content['application/json']?.examples ?? {};
  const [name] = Object.keys(examples);
  if (name === undefined || demoValues[operationId]?.body === undefined) return;
  Object.assign(examples, { [name]: { summary: 'As the console sends it', value: givenOf(called).body } });
}

/** Returns the source of Redoc with its remote logo replaced by an inline one. Throws if Redoc would still load anything else. */
function redocWithoutNetwork(): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="52" height="14"><text y="11" font-size="12" fill="#5f86c0">Redocly</text></svg>';
  const text = readFileSync(redoc, 'utf8').replaceAll(
    /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g,
    `data:image/svg+xml,${encodeURIComponent(svg)}`,
  );
  if (text.includes('cdn.redoc.ly')) throw new Error('Redoc fetches something from a server of its makers.');
  return text;
}

function page(template: string, api: string, contents: string): string {
  const { links, sidebar } = frameOf(api);
  return template
    .replaceAll('{title}', readBundle(api).info.title)
    .replaceAll('{api}', api)
    .replace('{console}', consoleOf(api))
    .replace('{links}', links)
    .replace('{sidebar}', () => sidebar)
    .replace('{contents}', () => contents);
}

/** Returns the address of a page's console data, or an empty string for a contract without a console. */
function consoleOf(api: string): string {
  return (consoleContracts as readonly string[]).includes(api) ? `/docs/reference/console/${api}.json` : '';
}
