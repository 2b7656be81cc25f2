import type { Node } from '../../sandbox/contract/document.ts';
import { type Spot, spotsOf } from './operations.ts';
import { paired } from './pairs.ts';
import type { Bundles } from './previous.ts';

/** A contract that is gone, while operations of it live on in contracts that are new: it was split, or renamed. */
export interface Succession {
  readonly name: string;
  readonly bundle: Node;
  /** What it had of the operations of each new contract, by the name of that one. */
  readonly parts: ReadonlyMap<string, Node>;
  /** Its operations that no new contract has. */
  readonly lost: readonly Spot[];
}

/** Finds what became of contracts that are gone. A new contract continues the first of them that it has operations of. */
export function successions(old: Bundles, now: Bundles): Succession[] {
  const fresh = new Map([...now].filter(([name]) => !old.has(name)));
  const gone = [...old].filter(([name]) => !now.has(name));
  return gone.flatMap(([name, bundle]) => {
    const parts = new Map<string, Node>();
    const kept = new Set<string>();
    for (const [successor, after] of [...fresh]) {
      const own = paired(bundle, after).flatMap((pair) => (pair.old && pair.now ? [pair.old.pointer] : []));
      if (own.length === 0) continue;
      fresh.delete(successor);
      parts.set(successor, limited(bundle, new Set(own)));
      for (const pointer of own) kept.add(pointer);
    }
    const lost = spotsOf(bundle).filter(({ pointer }) => !kept.has(pointer));
    return parts.size === 0 ? [] : [{ name, bundle, parts, lost }];
  });
}

/** A contract with some of its operations only, told by where they stand. */
function limited(bundle: Node, kept: ReadonlySet<string>): Node {
  const others = spotsOf(bundle).filter(({ pointer }) => !kept.has(pointer));
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
