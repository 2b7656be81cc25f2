import { escapePointer, type Node } from '../../sandbox/contract/document.ts';
import type { Spot } from './operations.ts';

/** A bundle in the form in which two are compared. */
export interface Comparable {
  readonly document: Node;
  /** Where a pointer of the document leads in the bundle. */
  origin(pointer: string): string;
}

/**
 * Makes the comparable form of a bundle: the operations that both have, at the places that they have in the new
 * contract. What the platform calls at the partner becomes a webhook, because there, too, the partner is the one who
 * reads requests and sends replies. Who hosts, address and credential are left out (terms.ts compares them), `const`
 * becomes an `enum` of one, and lists whose order means nothing are sorted.
 */
export function comparable(
  bundle: Node,
  operations: readonly { readonly own: Spot; readonly now: Spot }[],
): Comparable {
  const sections: Record<'paths' | 'webhooks', Record<string, Record<string, Node>>> = { paths: {}, webhooks: {} };
  const origins: [placed: string, own: string][] = [];
  for (const { own, now } of operations) {
    const { security: _credential, servers: _address, 'x-hosted-by': _host, ...operation } = own.node;
    const section = now.called ? 'webhooks' : 'paths';
    // Only where the names of its parameters differ, the old path stays: they are compared, too.
    const path = own.path.replaceAll(/\{.*?\}/g, '') === now.path.replaceAll(/\{.*?\}/g, '') ? own.path : now.path;
    sections[section][path] = { ...sections[section][path], [now.method]: operation };
    origins.push([`/${section}/${escapePointer(path)}/${now.method}`, own.pointer]);
  }
  const { security: _credential, servers: _address, ...rest } = bundle;
  return {
    document: sorted({ ...rest, ...sections }) as Node,
    origin(pointer) {
      const place = pointer.replace(/^#/, '');
      const [placed, own] = origins.find(([start]) => `${place}/`.startsWith(`${start}/`)) ?? ['', ''];
      return own + place.slice(placed.length);
    },
  };
}

/** Values of examples and defaults are nobody's to change; names of properties are no keywords. */
const values = new Set(['example', 'examples', 'default', 'value', 'required', 'enum']);

function sorted(part: unknown, names = false): unknown {
  if (Array.isArray(part)) return part.map((item) => sorted(item));
  if (part === null || typeof part !== 'object') return part;
  const entries = Object.entries(part).map(([key, value]): [string, unknown] => {
    if (names) return [key, sorted(value)];
    if (['required', 'enum', 'type'].includes(key) && Array.isArray(value)) return [key, inOrder(value)];
    if (key === 'const') return ['enum', [value]];
    return [key, values.has(key) ? value : sorted(value, key === 'properties')];
  });
  return Object.fromEntries(entries);
}

function inOrder(list: readonly unknown[]): unknown[] {
  return [...list].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
