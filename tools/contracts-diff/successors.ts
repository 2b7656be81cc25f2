import type { Node } from '../../sandbox/contract/document.ts';
import { type Spot, spotsOf } from './operations.ts';
import { paired } from './pairs.ts';
import type { Bundles } from './previous.ts';

/** A removed contract whose operations moved to new contracts because it was split or renamed. */
export interface Succession {
  readonly name: string;
  readonly bundle: Node;
  /** Parts of the old contract, keyed by the new contract that contains their operations. */
  readonly parts: ReadonlyMap<string, Node>;
  /** Operations that no new contract contains. */
  readonly lost: readonly Spot[];
}

/** Finds the successors of removed contracts. A new contract succeeds the first removed contract that shares an operation with it. */
export function successions(old: Bundles, now: Bundles): Succession[] {
  const fresh = new Map([...now].filter(([name]) => !old.has(name)));
  const gone = [...old].filter(([name]) => !now.has(name));
  return gone.flatMap(([name, bundle]) => {
    const parts = new Map<string, Node>();
    const moved = new Set<string>();
    for (const [successor, after] of [...fresh]) {
      const own = paired(bundle, after).flatMap((pair) => (pair.old && pair.now ? [pair.old.pointer] : []));
      if (own.length === 0) continue;
      fresh.delete(successor);
      parts.set(successor, limited(bundle, new Set(own)));
      for (const pointer of own) moved.add(pointer);
    }
    const lost = spotsOf(bundle).filter(({ pointer }) => !moved.has(pointer));
    return parts.size === 0 ? [] : [{ name, bundle, parts, lost }];
  });
}

/** Returns a copy of a contract with only the operations at the given pointers. */
function limited(bundle: Node, pointers: ReadonlySet<string>): Node {
  const others = spotsOf(bundle).filter(({ pointer }) => !pointers.has(pointer));
  const left = (section: 'paths' | 'webhooks') =>
    Object.entries((bundle[section] ?? {}) as Record<string, Node>).map(([path, item]) => {
      const gone = others.filter((spot) => spot.section === section && spot.path === path);
      return [
        path,
        Object.fromEntries(Object.entries(item).filter(([key]) => gone.every(({ method }) => method !== key))),
      ];
    });
  return { ...bundle, paths: Object.fromEntries(left('paths')), webhooks: Object.fromEntries(left('webhooks')) };
}
