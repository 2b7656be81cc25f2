/** The sources of the documentation site, and a hash that changes with them. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files from which the site is built, as glob patterns. */
export const sources = [
  'docs/*.{md,yaml}',
  'docs/{.vitepress,guides,pictures/dashboard}/**/*.*',
  'tools/docs/**/*.*',
  'generated/*/bundle.json',
  'generated/*/interface.json',
  'examples/{node,python,java/src,go,php,csharp}/*.{js,py,java,go,php,cs}',
  'openapi/workflows/*.yaml',
  'openapi/components/certification.yaml',
  'sandbox/workflows/respect.ts',
  'sandbox/cli/{start-options,certify,workflows,certify-schema,verdict,listen}.ts',
  'sandbox/{options,version,assembly/settings,runtime/settings}.ts',
  'sandbox/certification/{requirements/*.yaml,report-files.ts}',
  'sandbox/contract/{envelopes,failure-tables}.ts',
  'sandbox/magic/values.json',
  'sandbox/sites/assets/{icon.svg,inter.woff2,pages/font.css,pages/tokens.css}',
  'sandbox/dashboard/browser/authorization.ts',
  'package-lock.json',
];

/** Returns the text of a file. The path is relative to the repository root. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Returns a hash of all sources of the site. Equal hashes mean equal sites. */
export function contentKey(): string {
  const hash = createHash('sha256');
  for (const path of globSync(sources, { cwd: root }).sort()) hash.update(`${path}\0${read(path)}\0`);
  return hash.digest('hex');
}
