/**
 * Adds the built documentation to a folder that a static host serves. Usage: `node tools/docs/publish.ts FOLDER
 * [VERSION]`. `VERSION` defaults to the package version. Other versions in the folder remain, and `latest/` contains
 * the newest. The version menu of every page reads `versions.json`. Exits with 2 for wrong arguments, and with 1 if the
 * site is not built.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process, { argv, stderr } from 'node:process';
import { root } from './content.ts';

const site = join(root, 'docs/site');
const release = /^(\d+)\.(\d+)\.(\d+)$/;

/** Copies the site at `from` into the folder, and writes the list of versions. */
export function publish(from: string, folder: string, version: string): void {
  mkdirSync(folder, { recursive: true });
  place(from, join(folder, version));
  const versions = readdirSync(folder)
    .filter((name) => release.test(name))
    .sort((one, other) => number(other) - number(one));
  const [latest = version] = versions;
  if (latest === version) place(from, join(folder, 'latest'));
  writeFileSync(join(folder, 'versions.json'), `${JSON.stringify({ latest, versions })}\n`);
  writeFileSync(join(folder, 'index.html'), start);
  // Without this file, GitHub Pages ignores files whose names start with a special character, such as an underscore.
  writeFileSync(join(folder, '.nojekyll'), '');
}

/** Copies a site without the compressed copies and the content key, which only a sandbox uses. */
function place(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.gz') && basename(path) !== '.content-key' });
}

/** Converts a version to a number for sorting. */
function number(version: string): number {
  const [, major, minor, patch] = release.exec(version) ?? [];
  return (Number(major) * 1e4 + Number(minor)) * 1e4 + Number(patch);
}

const start = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Rewards sandbox</title>
<meta http-equiv="refresh" content="0; url=latest/">
</head>
<body>
<p>Read <a href="latest/">the latest version</a>.</p>
</body>
</html>
`;

if (import.meta.main) {
  const [folder, version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version] = argv.slice(2);
  if (folder === undefined || !release.test(version)) {
    stderr.write('Usage: node tools/docs/publish.ts FOLDER [VERSION], such as published 1.2.0\n');
    process.exitCode = 2;
  } else if (!existsSync(join(site, 'index.html'))) {
    stderr.write('docs/site is not built. Run: npm run docs\n');
    process.exitCode = 1;
  } else publish(site, folder, version);
}
