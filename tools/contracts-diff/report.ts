import type { Node } from '../../sandbox/contract/document.ts';
import { type Change, gravest, type Rating } from './change.ts';
import { compare, type LineOf, wholeContract } from './compare.ts';
import type { Bundles, Previous } from './previous.ts';
import { judge, type Verdict } from './versions.ts';

/** One contract, held against what it was. */
export interface ContractReport {
  readonly contract: string;
  /** Its versions; without the first it is new, without the second it is gone. */
  readonly before?: string;
  readonly after?: string;
  /** The gravest rating of its changes; none where nothing changed. */
  readonly rating?: Rating;
  readonly version: Verdict;
  readonly changes: readonly Change[];
}

/** What `--json` prints. `format` is raised when a reader has to change. */
export interface Report {
  readonly format: 1;
  /** What was compared with; null where there is no release yet. */
  readonly against: string | null;
  /** Whether every version matches. */
  readonly matches: boolean;
  readonly contracts: readonly ContractReport[];
}

/** Holds every contract against what it was. `lineOf` makes the finder of lines for a contract. */
export function examine(old: Previous, now: Bundles, lineOf: (contract: string, bundle: Node) => LineOf): Report {
  const names = [...new Set([...now.keys(), ...old.bundles.keys()])];
  const contracts = names.map((name) => one(name, old.bundles.get(name), now.get(name), lineOf));
  const matches = contracts.every(({ version }) => version.matches);
  return { format: 1, against: old.name ?? null, matches, contracts };
}

function one(
  contract: string,
  before: Node | undefined,
  after: Node | undefined,
  lineOf: (contract: string, bundle: Node) => LineOf,
): ContractReport {
  const versions = {
    ...(before && { before: versionOf(before) }),
    ...(after && { after: versionOf(after) }),
  };
  if (before === undefined || after === undefined) {
    const kind = after === undefined ? 'removed' : 'added';
    const change = wholeContract(contract, kind, after ?? before ?? {}, `openapi/${contract}.yaml`);
    return { contract, ...versions, rating: change.rating, version: { matches: true }, changes: [change] };
  }
  const changes = compare(contract, before, after, lineOf(contract, after));
  const rating = gravest(changes);
  const version = judge(versionOf(before), versionOf(after), rating);
  return { contract, ...versions, ...(rating && { rating }), version, changes };
}

function versionOf(bundle: Node): string {
  return String((bundle.info as Node | undefined)?.version);
}

/** The report for people. */
export function textReport({ against, contracts }: Report): string {
  const compared = against === null ? 'There is no release yet: every contract is new.' : `Compared with ${against}.`;
  return `${[compared, ...contracts.map(textOf)].join('\n')}\n`;
}

function textOf(report: ContractReport): string {
  if (report.before === undefined) return `${report.contract} ${report.after}: new`;
  const lines = report.changes.map((change) => {
    const { rating, sentence, must, pointer, file, line } = change;
    const place = [shortened(change.operations), pointer, `${file}:${line}`].filter((part) => part !== '');
    const told = change.before !== undefined || change.after !== undefined;
    const values = `${textValue(change.before)} -> ${textValue(change.after)}`;
    return [
      `  ${rating.padEnd(13)}  ${sentence}`,
      ...(told ? [values] : []),
      place.join('  '),
      ...(must === undefined ? [] : [`What you must do: ${must}`]),
    ].join(`\n${' '.repeat(17)}`);
  });
  return [headline(report), ...lines].join('\n');
}

/** A contract with its versions, and what is to be said of them. */
function headline({ contract, before, after, rating, version }: ContractReport): string {
  const versions = [before, after].filter((known) => known !== undefined);
  const name = `${contract} ${[...new Set(versions)].join(' -> ')}`;
  if (!version.matches)
    return `${name}: does not match, ${version.reason}. Set info.version in openapi/${contract}.yaml to ${version.wanted}.`;
  const note = version.note === undefined ? '' : ` (info.version is ${version.note})`;
  return `${name}: ${rating ?? 'no change'}${note}`;
}

/** A list of operations, cut after the fourth. */
export function shortened(operations: readonly string[]): string {
  const more = operations.length - 4;
  return more > 0 ? `${operations.slice(0, 4).join(', ')} and ${more} more` : operations.join(', ');
}

function textValue(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
