/** Collects the contract descriptions under a `stated` basis, which may only repeat the interface. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { interfaceContracts, servedContracts } from '../../sandbox/apis/registry.ts';
import { isStated, keywordBases, operationsIn, ownBasis, partsOf, subschemas } from '../../sandbox/contract/basis.ts';
import { at, bundleFiles, type Edition, type Node } from '../../sandbox/contract/document.ts';

/** A description and the statements that it may repeat. */
export interface StatedDescription {
  /** A JSON pointer. The contract's name precedes it if other contracts do not share the description. */
  readonly location: string;
  /** The basis, such as `stated B3 R8`. A part that contracts use in several locations can have several bases. */
  readonly basis: string;
  readonly text: string;
  readonly hash: string;
}

/** Returns all of these descriptions, ordered by location. */
export function statedDescriptions(): readonly StatedDescription[] {
  const byLocation = new Map<string, { bases: Set<string>; text: string }>();
  for (const { api, bundle } of bundles()) {
    for (const { pointer, basis, text } of descriptionsIn(bundle)) {
      const location = pointer.startsWith('/components/') ? pointer : `${api} ${pointer}`;
      const { bases } = byLocation.get(location) ?? { bases: new Set() };
      // The same name in two contracts refers to the same part of `openapi/components`, unless the descriptions differ.
      const shared = byLocation.get(location)?.text === text || !byLocation.has(location);
      byLocation.set(shared ? location : `${api} ${location}`, { bases: bases.add(basis), text });
    }
  }
  return [...byLocation]
    .map(([location, { bases, text }]) => ({ location, basis: [...bases].sort().join('; '), text, hash: hashOf(text) }))
    .sort((one, other) => (one.location < other.location ? -1 : 1));
}

/** Loads the interface edition of the interface contracts and the sandbox edition of all served contracts. */
function bundles(): { api: string; bundle: Node }[] {
  const read = (api: string, edition: Edition) => ({
    api,
    bundle: JSON.parse(
      readFileSync(new URL(`../../generated/${api}/${bundleFiles[edition]}`, import.meta.url), 'utf8'),
    ) as Node,
  });
  return [
    ...interfaceContracts.map((api) => read(api, 'interface')),
    ...servedContracts.map((api) => read(api, 'sandbox')),
  ];
}

/** Returns the first twelve hex digits of a description's SHA-256, independent of line breaks. */
function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll(/\s+/g, ' ').trim()).digest('hex').slice(0, 12);
}

interface LocatedDescription {
  readonly pointer: string;
  readonly basis: string;
  readonly text: string;
}

/** Returns every description in a contract whose nearest basis is `stated`. */
function descriptionsIn(bundle: Node): readonly LocatedDescription[] {
  const descriptions: LocatedDescription[] = [];
  const visited = new Set<string>();

  const addDescriptions = (pointer: string, node: Node, parentBasis: string) => {
    const basis = keywordBases(node).get('description') ?? ownBasis(node) ?? parentBasis;
    for (const key of ['summary', 'description']) {
      const text = node[key];
      if (typeof text === 'string' && isStated(key === 'summary' ? (ownBasis(node) ?? parentBasis) : basis)) {
        descriptions.push({ pointer: `${pointer}/${key}`, basis, text });
      }
    }
  };

  const schema = (pointer: string, parentBasis: string): void => {
    const node = at(bundle, pointer) as Node;
    const basis = ownBasis(node) ?? parentBasis;
    if (visited.has(`${pointer} ${basis}`)) return;
    visited.add(`${pointer} ${basis}`);
    addDescriptions(pointer, node, parentBasis);
    for (const { key } of subschemas(node)) schema(`${pointer}/${key}`, basis);
    if (typeof node.$ref === 'string') schema(node.$ref.slice(1), basis);
  };

  for (const pointer of operationsIn(bundle)) {
    const operation = at(bundle, pointer) as Node;
    addDescriptions(pointer, operation, '');
    for (const part of partsOf(bundle, pointer)) {
      addDescriptions(part.pointer, at(bundle, part.pointer) as Node, part.basis);
      for (const place of part.schemas) schema(place, part.basis);
    }
  }
  const { securitySchemes = {} } = at(bundle, '/components') as { securitySchemes?: Record<string, Node> };
  for (const [name, scheme] of Object.entries(securitySchemes))
    addDescriptions(`/components/securitySchemes/${name}`, scheme, '');
  return descriptions;
}

/** The file with the descriptions as of their last review against their statements. */
export const frozenFile = new URL('./stated-descriptions.yaml', import.meta.url);

/** Returns the file's content: the hash and basis for each location. */
export function frozenForm(descriptions: readonly StatedDescription[]): Readonly<Record<string, string>> {
  return Object.fromEntries(descriptions.map(({ location, basis, hash }) => [location, `${hash} ${basis}`]));
}
