/** `npm run executables`: packs the package and builds an executable for each platform. Prints their paths to stdout. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { Command, Option } from 'commander';
import { buildExecutables, type Platform, platforms } from './build-executables.ts';
import { pack } from './install.ts';

const help = `
Examples:
  npm run executables -- release                          all platforms, with SHA256SUMS
  npm run executables -- release --platform linux-x64     one of them

Needs Linux x64. npm downloads the Node of other platforms.`;

async function build(out: string, { platform }: { readonly platform?: readonly Platform[] }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    for (const file of await buildExecutables(pack(folder), resolve(out), platform)) process.stdout.write(`${file}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await new Command('executables')
  .description('Build an executable for each platform.')
  .argument('<folder>', 'where they are written')
  .addOption(new Option('--platform <name...>', 'only these platforms').choices(platforms))
  .addHelpText('after', help)
  .action(build)
  .parseAsync();
