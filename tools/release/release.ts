/**
 * `npm run release`: writes the version, changelog and edition of the requirements, and packs the package. Runs a smoke
 * test on the package in an empty folder. Then builds the executables, commits the release and tags it. Publishes and
 * pushes nothing. Prints messages to stderr. Prints the paths of the tarball, the executables and their SHA256SUMS in
 * `release/` to stdout.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { buildExecutables, platforms } from '../package/build-executables.ts';
import { install, pack } from '../package/install.ts';
import { smoke } from '../package/smoke.ts';
import { freezeRequirements } from './freeze-requirements.ts';
import { NotReleasable, nextVersion, releasedChangelog } from './version.ts';

/** Exit codes of the process. */
const exitCodes = { fine: 0, failed: 1, usage: 2 } as const;

const help = `
Examples:
  npm run release -- minor              the next minor version
  npm run release -- 0.1.0 --dry-run    all but commit and tag; files are put back

Then: git push --follow-tags. npm publish <tarball> needs more: docs/decisions/111-package-name.md.

Exit codes:
  0 released   1 something does not hold: nothing is changed   2 usage`;

const root = fileURLToPath(new URL('../../', import.meta.url));
const requirements = 'sandbox/certification/requirements';
const changed = ['package.json', 'package-lock.json', 'sandbox/version.ts', 'docs/changelog.md', requirements];

const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
const say = (message: string) => process.stderr.write(`${message}\n`);

/** Releases a version. On failure, restores all files and throws the reason. */
async function release(requested: string, dryRun: boolean): Promise<void> {
  if (run('git', 'status', '--porcelain') !== '') throw new NotReleasable('There are changes. Commit them first.');
  const { version: present } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = nextVersion(present, requested, run('git', 'tag', '--list', `v${present}`) !== '');
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    say(`${version}: version, changelog and requirements`);
    write(version);
    say('Building the documentation and packing the package');
    run('npm', 'run', 'docs');
    const tarball = pack(folder);
    say('Installing it into an empty folder and running the smoke test');
    const installed = install(tarball, folder);
    await smoke(installed.folder, version, { env: installed.env });
    say('Building executables');
    const built = join(folder, 'release');
    await buildExecutables(tarball, built, dryRun ? ['linux-x64'] : platforms);
    if (dryRun) {
      say(`${version} could be released.`);
      return;
    }
    run('git', 'add', requirements);
    run('git', 'commit', '--all', '--message', `Release ${version}`);
    run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
    const output = join(root, 'release');
    rmSync(output, { recursive: true, force: true });
    cpSync(built, output, { recursive: true });
    for (const name of readdirSync(output)) process.stdout.write(`${join(output, name)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // After the commit, these commands restore nothing.
    run('git', 'clean', '--force', '--quiet', '--', requirements);
    run('git', 'checkout', '--quiet', 'HEAD', '--', ...changed);
  }
}

function write(version: string): void {
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  const module = join(root, 'sandbox/version.ts');
  writeFileSync(module, readFileSync(module, 'utf8').replace(/'[^']+'/, `'${version}'`));
  const changelog = join(root, 'docs/changelog.md');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), version, day));
  freezeRequirements(join(root, requirements), version);
}

const program = new Command('release')
  .description('Release a version: version, changelog, requirements, package, install, smoke test, commit and tag.')
  .argument('<version>', 'major, minor, patch, or a version')
  .option('--dry-run', 'make neither a commit nor a tag')
  .addHelpText('after', help)
  .exitOverride()
  .action((requested: string, { dryRun }: { dryRun?: boolean }) => release(requested, dryRun === true));
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
  else {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = exitCodes.failed;
  }
}
