import type { Node } from '../../sandbox/contract/document.ts';
import { type Spot, spotsOf } from './operations.ts';
import type { Rated } from './rating.ts';

/** An operation in the old contract, the new contract, or both. */
export interface Pair {
  readonly old: Spot | undefined;
  readonly now: Spot | undefined;
}

/** Pairs the operations of two contracts by method and path, ignoring parameter names. Pairs the remaining operations by `operationId`. */
export function paired(before: Node, after: Node): Pair[] {
  const left = new Set(spotsOf(before));
  const pairs = new Map<Spot, Spot>();
  const now = spotsOf(after);
  for (const same of [place, ({ operationId }: Spot) => operationId]) {
    for (const spot of now.filter((each) => !pairs.has(each))) {
      const old = [...left].find((other) => same(other) === same(spot));
      if (old === undefined) continue;
      pairs.set(spot, old);
      left.delete(old);
    }
  }
  return [
    ...now.map((spot) => ({ old: pairs.get(spot), now: spot })),
    ...[...left].map((old) => ({ old, now: undefined })),
  ];
}

/** Rates an added, removed or moved operation. Returns `undefined` if the operation is unchanged. */
export function presence({ old, now }: Pair): Rated | undefined {
  if (old === undefined) return now === undefined ? undefined : added(now);
  if (now === undefined) {
    const must = old.called ? 'Stop hosting it: nobody calls it.' : 'Do without it.';
    return { rating: 'breaking', sentence: `${name(old)} was removed.`, must };
  }
  if (place(old) === place(now)) return undefined;
  const must = now.called ? 'Host it at the new place.' : 'Call it at the new place.';
  return { rating: 'breaking', sentence: `${name(old)} moved to \`${words(now)}\`.`, must };
}

function added(now: Spot): Rated {
  const sentence = `${name(now)} was added`;
  // Webhooks reach only partners that register for them. Partners must host every other operation that the platform calls.
  if (!now.called || now.section === 'webhooks') return { rating: 'additive', sentence: `${sentence}.` };
  return {
    rating: 'breaking',
    sentence: `${sentence}, and the client hosts it.`,
    must: 'Host it: the platform calls it.',
  };
}

function place({ section, method, path }: Spot): string {
  return `${section} ${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

function name(spot: Spot): string {
  return `${spot.section === 'webhooks' ? 'Webhook' : 'Operation'} \`${words(spot)}\``;
}

function words({ section, method, path }: Spot): string {
  return section === 'webhooks' ? path : `${method.toUpperCase()} ${path}`;
}
