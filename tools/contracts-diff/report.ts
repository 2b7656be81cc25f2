import type { Node } from '../../sandbox/contract/document.ts';
import { type Change, gravest, type Rating } from './change.ts';
import { compare, type LineOf, wholeContract } from './compare.ts';
import { presence } from './pairs.ts';
import type { Bundles, Previous } from './previous.ts';
import { type Succession, successions } from './successors.ts';
import { judge, type Verdict } from './versions.ts';

/** One contract, compared with its previous version. */
export interface ContractReport {
  readonly contract: string;
  /** Versions of the contract. `before` is absent if the contract was added, and `after` if it was removed. */
  readonly before?: string;
  readonly after?: string;
  /** The contracts that now contain the operations of this split or renamed contract. */
  readonly into?: readonly string[];
  /** The split or renamed contract that previously contained the operations. */
  readonly from?: string;
  /** The most severe rating of the changes. Absent if nothing changed. */
  readonly rating?: Rating;
  readonly version: Verdict;
  readonly changes: readonly Change[];
}

/** The output of `--json`. `format` increases with every incompatible change. */
export interface Report {
  readonly format: 1;
  /** The version that the contracts were compared with, or `null` if there is no release yet. */
  readonly against: string | null;
  /** Whether every version number matches the changes. */
  readonly matches: boolean;
  readonly contracts: readonly ContractReport[];
}

/** Compares every contract with its previous version. `lineOf` creates the line lookup for a contract. */
export function examine(old: Previous, now: Bundles, lineOf: (contract: string, bundle: Node) => LineOf): Report {
  const names = [...new Set([...now.keys(), ...old.bundles.keys()])];
  const moved = successions(old.bundles, now);
  const contracts = names.map((name): ContractReport => {
    const gone = moved.find((succession) => succession.name === name);
    if (gone !== undefined) return goneInto(gone);
    const before = moved.find(({ parts }) => parts.has(name));
    const report = one(name, before?.parts.get(name) ?? old.bundles.get(name), now.get(name), lineOf);
    return before === undefined ? report : { ...report, from: before.name };
  });
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

/** Reports a contract whose operations moved to other contracts. The reports for those contracts list the changes to the operations. */
function goneInto({ name: contract, bundle, parts, lost }: Succession): ContractReport {
  const into = [...parts.keys()];
  const place = { contract, file: `openapi/${contract}.yaml`, line: 1 };
  const split = { ...movedInto(into), ...place, operations: [], pointer: '' };
  const without = lost.flatMap((old) => {
    const rated = presence({ old, now: undefined });
    return rated === undefined ? [] : [{ ...rated, ...place, operations: [old.operationId], pointer: old.pointer }];
  });
  return {
    contract,
    before: versionOf(bundle),
    into,
    rating: 'breaking',
    version: { matches: true },
    changes: [split, ...without],
  };
}

function movedInto(names: readonly string[]) {
  const list = names.map((name) => `\`${name}\``).join(' and ');
  const [sentence, them] =
    names.length > 1
      ? [`The contract was split into ${list}.`, 'those of them that you use']
      : [`The contract was renamed to ${list}.`, 'it'];
  return {
    rating: 'breaking',
    sentence,
    must: `Take ${them} in its place, and generate your client from there.`,
  } as const;
}

function versionOf(bundle: Node): string {
  return String((bundle.info as Node | undefined)?.version);
}

/** Returns the report as text. */
export function textReport({ against, contracts }: Report): string {
  const compared = against === null ? 'There is no release yet: every contract is new.' : `Compared with ${against}.`;
  return `${[compared, ...contracts.map(textOf)].join('\n')}\n`;
}

function textOf(report: ContractReport): string {
  if (report.before === undefined) return `${report.contract} ${report.after}: new`;
  const lines = report.changes.map((change) => {
    const { rating, sentence, must, pointer, file, line } = change;
    const place = [shortened(change.operations), pointer, `${file}:${line}`].filter((part) => part !== '');
    const hasValues = change.before !== undefined || change.after !== undefined;
    const values = `${textValue(change.before)} -> ${textValue(change.after)}`;
    return [
      `  ${rating.padEnd(13)}  ${sentence}`,
      ...(hasValues ? [values] : []),
      place.join('  '),
      ...(must === undefined ? [] : [`What you must do: ${must}`]),
    ].join(`\n${' '.repeat(17)}`);
  });
  return [headline(report), ...lines].join('\n');
}

/** Returns the headline for a contract: its name, versions and version verdict. */
function headline({ contract, from, before, after, rating, version }: ContractReport): string {
  const versions = [before, after].filter((each) => each !== undefined);
  const origin = from === undefined ? '' : ` (from ${from})`;
  const name = `${contract}${origin} ${[...new Set(versions)].join(' -> ')}`;
  if (!version.matches)
    return `${name}: does not match, ${version.reason}. Set info.version in openapi/${contract}.yaml to ${version.wanted}.`;
  const note = version.note === undefined ? '' : ` (info.version is ${version.note})`;
  return `${name}: ${rating ?? 'no change'}${note}`;
}

/** Joins operation names, and shortens the list after the fourth. */
export function shortened(operations: readonly string[]): string {
  const more = operations.length - 4;
  return more > 0 ? `${operations.slice(0, 4).join(', ')} and ${more} more` : operations.join(', ');
}

function textValue(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
