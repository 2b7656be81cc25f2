import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './content.ts';

const run = promisify(execFile);
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');

/** A reference in its initial state, as Redoc renders it. */
export interface Prerendered {
  readonly style: string;
  /** The HTML of Redoc's root element. */
  readonly html: string;
}

/**
 * Renders the first page of a contract's reference, so that it is visible before Redoc loads. Throws if Redocly's
 * command fails or its output has an unexpected format.
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

/** Extracts the style and contents from a Redocly page. Removes its scripts and the resources they load from Redocly. */
function partsOf(page: string): Prerendered {
  const style = /<style data-styled[^>]*>(.*?)<\/style>/s.exec(page)?.[1];
  const html = /<div id="redoc">(.*)<\/div>\s*<script type="module">/s.exec(page)?.[1];
  if (style === undefined || html === undefined) throw new Error('Redocly writes a reference of another form.');
  const plain = html.replaceAll(/<script\b.*?<\/script>/gs, '').replaceAll(/ href="\/(?!\/)/g, ' href="#/');
  if (/<script|cdn\.redoc/.test(plain)) throw new Error('A prerendered reference loads something.');
  return { style: style.replaceAll('/*!sc*/', ''), html: plain };
}
