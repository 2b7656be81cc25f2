/** `npm run package:try`: packs the package, installs it into an empty folder, and runs a smoke test there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { version } from '../../sandbox/version.ts';
import { install, pack } from './install.ts';
import { smoke } from './smoke.ts';

const help = `
Examples:
  npm run package:try                      with the Node on the PATH
  npm run package:try -- --node 24.18.0    with another Node, which npm installs (Linux x64)
  npm run package:try -- --node 22.19.0 --no-prism      the lowest that it allows: Prism needs Node 24.18

Exit codes:
  0 it works   1 it does not: stderr says what`;

async function tried({ node, prism }: { readonly node?: string; readonly prism: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    const tarball = pack(folder);
    const installed = install(tarball, folder, { node, prism });
    await smoke(installed.folder, version, { env: installed.env, prism });
    const how = [node && ` on Node ${node}`, !prism && ' without Prism'].filter(Boolean).join('');
    process.stderr.write(`The package works${how}.\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await new Command('package:try')
  .description('Pack the package, install it into an empty folder, and try it.')
  .option('--node <version>', 'the Node to run it on')
  .option('--no-prism', 'leave out its optional dependencies')
  .addHelpText('after', help)
  .action(tried)
  .parseAsync();
