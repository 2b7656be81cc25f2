import { escapePointer, type Node } from '../../sandbox/contract/document.ts';
import type { Spot } from './operations.ts';

/** A bundle in a normalised form for comparison. */
export interface Comparable {
  readonly document: Node;
  /** Maps a pointer into the document to its counterpart in the bundle. */
  origin(pointer: string): string;
}

/**
 * Normalises a bundle for comparison. Keeps only operations that both contracts contain, at the paths of the new
 * contract. Operations that the platform calls on the partner become webhooks, because the partner reads their requests
 * and sends the replies. Omits the host, address and credential, because `terms.ts` compares them. `const` becomes an
 * `enum` with one value, and lists without a meaningful order are sorted.
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
    // Keep the old path if its parameter names differ, because parameter names are compared too.
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

/** Keywords whose values must not be normalised. Properties with these names are not keywords. */
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
