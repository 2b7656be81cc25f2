/**
 * `npm run contracts:diff`: compares the contracts with the last release and rates each change. Fails if an
 * `info.version` does not match the changes. Prints data to stdout and messages to stderr.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Command, CommanderError } from 'commander';
import { SourceLines } from '../../sandbox/conformance/source-lines.ts';
import type { Node } from '../../sandbox/contract/document.ts';
import { changelogEntry, withEntry } from './changelog.ts';
import type { LineOf } from './compare.ts';
import { bundlesIn, NothingToCompare, previous } from './previous.ts';
import { examine, textReport } from './report.ts';

/** Exit codes of the process. */
const exitCodes = { fine: 0, mismatch: 1, usage: 2, environment: 3 } as const;

const help = `
Examples:
  npm run contracts:diff                              with the last release, the highest tag such as v1.4.0
  npm run contracts:diff -- --against main            with another commit
  npm run contracts:diff -- --against ../v1-checkout  with a folder that has generated/*/bundle.json
  npm run contracts:diff -- --write                   also writes the entry into docs/changelog.md

Exit codes:
  0 every version matches, or nothing was released yet   1 a version does not match   2 usage
  3 environment: no git, an unknown commit, no contracts there, or a contract that cannot be compared`;

interface Flags {
  readonly against?: string;
  readonly write?: boolean;
  readonly json?: boolean;
  readonly ifPossible?: boolean;
}

/** Compares the contracts of the project in `root`. Returns the exit code. */
function run(root: string, { against, write, json, ifPossible }: Flags): number {
  try {
    const old = previous(root, against);
    const report = examine(old, bundlesIn(root), (contract, bundle) => lines(root, contract, bundle));
    process.stdout.write(json === true ? `${JSON.stringify(report)}\n` : textReport(report));
    const entry = changelogEntry(report);
    const file = join(root, 'docs/changelog.md');
    if (write === true) writeFileSync(file, withEntry(readFileSync(file, 'utf8'), entry, old.name?.replace(/^v/, '')));
    else if (json !== true && entry !== undefined && old.name !== undefined)
      process.stdout.write(`\nFor docs/changelog.md (--write puts it there):\n\n${entry}`);
    return report.matches ? exitCodes.fine : exitCodes.mismatch;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof NothingToCompare && ifPossible === true) {
      process.stderr.write(`The contracts were not compared with a release. ${reason}\n`);
      return exitCodes.fine;
    }
    process.stderr.write(`The contracts cannot be compared. ${reason}\n`);
    return exitCodes.environment;
  }
}

function lines(root: string, contract: string, bundle: Node): LineOf {
  const file = `openapi/${contract}.yaml`;
  if (!existsSync(join(root, file))) return () => ({ file: `generated/${contract}/bundle.json`, line: 1 });
  const source = new SourceLines(pathToFileURL(`${root}/`), contract, bundle);
  return (pointer) => source.at(pointer);
}

const command = new Command('npm run contracts:diff --')
  .description('Compare the contracts with those of the last release, and check their versions.')
  .option('--against <ref or folder>', 'compare with another commit, or with the contracts of a folder')
  .option('--write', 'write the entry of docs/changelog.md')
  .option('--json', 'print the report as JSON')
  .option('--if-possible', 'where there is nothing to compare with, say so and end with 0')
  .addHelpText('after', help)
  .exitOverride();
try {
  command.parse();
  process.exitCode = run(process.cwd(), command.opts());
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
}
