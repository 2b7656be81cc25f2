/** The package name is defined in `package.json`, and all other mentions match it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { version } from '../../sandbox/version.ts';
import { packageName, root } from '../harness/sources.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const texts = execFileSync('git', ['grep', '-IlE', 'rewards-sandbox', '--', ':!test', ':!package-lock.json'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Returns each match of a pattern, preceded by its file. */
const matchesOf = (pattern: RegExp) =>
  texts.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => `${path}: ${match}`));

it('the package is scoped, and its command is not', () => {
  expect(packageName).toMatch(/^@[\w-]+\/[\w-]+$/);
  expect(Object.keys(manifest.bin)).toEqual(['rewards-sandbox']);
});

it('a publication is public, has provenance, and requires a repository', () => {
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  // npm compares the repository with the provenance.
  expect(manifest.private === true || typeof manifest.repository?.url === 'string').toBe(true);
});

it('every mention of the scoped name is that of package.json', () => {
  const mentions = matchesOf(/@rewards-sandbox\/[\w-]+/g);
  expect(mentions.length).toBeGreaterThan(10);
  expect(mentions.filter((mention) => !mention.endsWith(`: ${packageName}`))).toEqual([]);
});

it('no program imports the package without its scope', () => {
  expect(matchesOf(/(?:from|import|require)\b[ (]*['"]rewards-sandbox[\w/-]*['"]/g)).toEqual([]);
});

it('every tarball is called as npm calls it', () => {
  const stem = packageName.replace('@', '').replace('/', '-');
  const tarballs = matchesOf(/\brewards-sandbox[\w-]*-(?:\d+\.\d+\.\d+|VERSION|\*)\.tgz/g);
  expect(tarballs.length).toBeGreaterThan(8);
  const expectedNames = [version, 'VERSION', '*'].map((part) => `: ${stem}-${part}.tgz`);
  expect(tarballs.filter((mention) => !expectedNames.some((name) => mention.endsWith(name)))).toEqual([]);
});
