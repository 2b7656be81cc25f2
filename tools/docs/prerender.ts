import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './content.ts';

const run = promisify(execFile);
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');

/** A reference as Redoc draws it before anybody does something on it. */
export interface Prerendered {
  readonly style: string;
  /** What stands in the element that Redoc is given. */
  readonly html: string;
}

/**
 * Draws the first page of a contract's reference, so that it is there before Redoc is. Throws when Redocly's command
 * fails, or when it writes something else than it did.
 */
export async function prerendered(contract: string): Promise<Prerendered> {
  const folder = await mkdtemp(join(tmpdir(), 'reference-'));
  try {
    const template = join(folder, 'template.hbs');
    await writeFile(template, '{{{redocHead}}}\n{{{redocHTML}}}');
    const page = join(folder, 'page.html');
    await run(process.execPath, [redocly, 'build-docs', contract, '-o', page, '-t', template], { cwd: root });
    return partsOf(await readFile(page, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The style and the contents of a page of Redocly's: its scripts and what they load from its makers are left out. */
function partsOf(page: string): Prerendered {
  const style = /<style data-styled[^>]*>(.*?)<\/style>/s.exec(page)?.[1];
  const html = /<div id="redoc">(.*)<\/div>\s*<script type="module">/s.exec(page)?.[1];
  if (style === undefined || html === undefined) throw new Error('Redocly writes a reference of another form.');
  const plain = html.replaceAll(/<script\b.*?<\/script>/gs, '').replaceAll(/ href="\/(?!\/)/g, ' href="#/');
  if (/<script|cdn\.redoc/.test(plain)) throw new Error('A prerendered reference loads something.');
  return { style: style.replaceAll('/*!sc*/', ''), html: plain };
}
