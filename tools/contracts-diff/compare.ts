import { at, follow, type Node } from '../../sandbox/contract/document.ts';
import { type Change, ratings } from './change.ts';
import { comparable } from './comparable.ts';
import { spotsOf, type Use, Uses } from './operations.ts';
import type { Concerned } from './own-rules.ts';
import { type Pair, paired, presence } from './pairs.ts';
import { counted, rated } from './rating.ts';
import { type Difference, differences } from './redocly-diff.ts';
import { terms } from './terms.ts';

/** Returns the source line of a pointer into a new contract. */
export type LineOf = (pointer: string) => { readonly file: string; readonly line: number };

/**
 * Returns every change between two versions of a contract, most severe first. A change that affects several operations
 * is listed once, with every affected operation.
 */
export function compare(contract: string, before: Node, after: Node, lineOf: LineOf): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const pairs = paired(before, after);
  const found = [...pairs.flatMap(ofOperation), ...within()].map((change) => ({
    contract,
    ...change,
    ...lineOf(change.pointer),
  }));
  return gathered(found).sort((one, other) => ratings.indexOf(one.rating) - ratings.indexOf(other.rating));

  /** Returns the changes to an operation as a whole. */
  function ofOperation(pair: Pair): Place[] {
    const { old, now } = pair;
    const spot = now ?? old;
    const own = presence(pair);
    const operations = spot === undefined ? [] : [spot.operationId];
    const changed = own === undefined ? [] : [{ ...own, operations, pointer: spot?.pointer ?? '' }];
    if (old === undefined || now === undefined) return changed;
    const sides = [
      { bundle: before, spot: old },
      { bundle: after, spot: now },
    ] as const;
    const other = [...terms(...sides)].map(({ keyword, ...term }) => ({
      ...term,
      operations,
      pointer: `${now.pointer}/${keyword}`,
    }));
    return [...changed, ...other];
  }

  /** Returns the changes within operations that both contracts contain. */
  function within(): Place[] {
    const inBoth = pairs.flatMap(({ old, now }) => (old === undefined || now === undefined ? [] : [{ old, now }]));
    const side = (bundle: Node, which: 'old' | 'now') => ({
      bundle,
      uses: new Uses(bundle),
      form: comparable(
        bundle,
        inBoth.map((pair) => ({ own: pair[which], now: pair.now })),
      ),
    });
    const sides = { old: side(before, 'old'), now: side(after, 'now') };
    return counted(differences(sides.old.form.document, sides.now.form.document)).flatMap((difference) => {
      const { bundle, uses, form } = difference.kind === 'removed' ? sides.old : sides.now;
      const place = (difference.kind === 'removed' ? difference.base : difference.revision)?.pointer;
      const pointer = existing(bundle, form.origin(place ?? difference.path));
      const users = uses.at(pointer);
      const outcome = rated(difference, { uses: users, part: partAt(bundle, pointer) });
      return outcome === undefined
        ? []
        : [{ ...outcome, operations: names(users), pointer, ...shortValues(difference) }];
    });
  }
}

/** A change without its source line. */
type Place = Omit<Change, 'contract' | 'file' | 'line'>;

/** Returns the change for a contract that was added or removed as a whole. */
export function wholeContract(contract: string, kind: 'added' | 'removed', bundle: Node, file: string): Change {
  const operations = spotsOf(bundle).map(({ operationId }) => operationId);
  const place = { contract, operations, pointer: '', file, line: 1 };
  if (kind === 'added') return { ...place, rating: 'additive', sentence: 'The contract is new.' };
  return { ...place, rating: 'breaking', sentence: 'The contract was removed.', must: 'Do without it.' };
}

function names(uses: readonly Use[]): string[] {
  return [...new Set(uses.map(({ operationId }) => operationId))];
}

/** Returns the parameter or header that contains a pointer's target. */
function partAt(bundle: Node, pointer: string): Concerned['part'] {
  const [place, kind, key = ''] = /^.*?\/(parameters|headers)\/([^/]+)/.exec(pointer) ?? [];
  if (place === undefined) return undefined;
  if (kind === 'headers') return { kind: 'Header', name: key };
  const { name } = at(bundle, follow(bundle, place)) as Node;
  return { kind: 'Parameter', name: String(name) };
}

/**
 * Returns the pointer to `const` if the contract uses `const` instead of `enum`. The comparison treats `const` as an
 * `enum` with one value.
 */
function existing(bundle: Node, pointer: string): string {
  const constant = pointer.replace(/\/enum$/, '/const');
  return at(bundle, pointer) === undefined && at(bundle, constant) !== undefined ? constant : pointer;
}

/** Returns both values of a keyword if they are short enough to read. */
function shortValues({ kind, base, revision }: Difference): Pick<Change, 'before' | 'after'> {
  const values = [base?.value, revision?.value];
  if (kind !== 'modified' || values.some((value) => (JSON.stringify(value) ?? '').length > 200)) return {};
  const [before, after] = values;
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

/** Merges equal changes at the same location in different operations. */
function gathered(changes: readonly Change[]): Change[] {
  const groups = new Map<string, Change>();
  for (const change of changes) {
    const { rating, sentence, before, after, pointer, operations } = change;
    const place = pointer.replace(/^\/(paths|webhooks)\/[^/]+\/[^/]+/, '');
    const key = JSON.stringify([rating, sentence, before, after, place]);
    const earlier = groups.get(key);
    const all = [...new Set([...(earlier?.operations ?? []), ...operations])];
    groups.set(key, { ...(earlier ?? change), operations: all });
  }
  return [...groups.values()];
}
