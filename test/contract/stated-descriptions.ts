/** The descriptions of the contracts that stand below a `stated` basis, and so claim to say only what the interface says. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { interfaceContracts, servedContracts } from '../../sandbox/apis/registry.ts';
import { isStated, keywordBases, operationsIn, ownBasis, partsOf, subschemas } from '../../sandbox/contract/basis.ts';
import { at, bundleFiles, type Edition, type Node } from '../../sandbox/contract/document.ts';

/** A description, and the statements that it may repeat. */
export interface StatedDescription {
  /** Where it stands: a JSON pointer, behind the contract's name where no contract shares it. */
  readonly location: string;
  /** Such as `stated B3 R8`; several where contracts use the part in several places. */
  readonly basis: string;
  readonly text: string;
  readonly hash: string;
}

/** All of them, in the order of their locations. */
export function statedDescriptions(): readonly StatedDescription[] {
  const found = new Map<string, { bases: Set<string>; text: string }>();
  for (const { api, bundle } of bundles()) {
    for (const { pointer, basis, text } of descriptionsIn(bundle)) {
      const location = pointer.startsWith('/components/') ? pointer : `${api} ${pointer}`;
      const { bases } = found.get(location) ?? { bases: new Set() };
      // One name in two contracts is one part of `openapi/components`, unless the words differ.
      const shared = found.get(location)?.text === text || !found.has(location);
      found.set(shared ? location : `${api} ${location}`, { bases: bases.add(basis), text });
    }
  }
  return [...found]
    .map(([location, { bases, text }]) => ({ location, basis: [...bases].sort().join('; '), text, hash: hashOf(text) }))
    .sort((one, other) => (one.location < other.location ? -1 : 1));
}

/** Every contract that the sandbox serves, and the form of the interface where there is one. */
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

/** The first twelve digits of the SHA-256 of a description, whatever its line breaks. */
function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll(/\s+/g, ' ').trim()).digest('hex').slice(0, 12);
}

interface Found {
  readonly pointer: string;
  readonly basis: string;
  readonly text: string;
}

/** Every description of a contract whose nearest basis is `stated`. */
function descriptionsIn(bundle: Node): readonly Found[] {
  const found: Found[] = [];
  const seen = new Set<string>();

  const note = (pointer: string, node: Node, around: string) => {
    const basis = keywordBases(node).get('description') ?? ownBasis(node) ?? around;
    for (const key of ['summary', 'description']) {
      const text = node[key];
      if (typeof text === 'string' && isStated(key === 'summary' ? (ownBasis(node) ?? around) : basis)) {
        found.push({ pointer: `${pointer}/${key}`, basis, text });
      }
    }
  };

  const schema = (pointer: string, around: string): void => {
    const node = at(bundle, pointer) as Node;
    const basis = ownBasis(node) ?? around;
    if (seen.has(`${pointer} ${basis}`)) return;
    seen.add(`${pointer} ${basis}`);
    note(pointer, node, around);
    for (const { key } of subschemas(node)) schema(`${pointer}/${key}`, basis);
    if (typeof node.$ref === 'string') schema(node.$ref.slice(1), basis);
  };

  for (const pointer of operationsIn(bundle)) {
    const operation = at(bundle, pointer) as Node;
    note(pointer, operation, '');
    for (const part of partsOf(bundle, pointer)) {
      note(part.pointer, at(bundle, part.pointer) as Node, part.basis);
      for (const place of part.schemas) schema(place, part.basis);
    }
  }
  const { securitySchemes = {} } = at(bundle, '/components') as { securitySchemes?: Record<string, Node> };
  for (const [name, scheme] of Object.entries(securitySchemes)) note(`/components/securitySchemes/${name}`, scheme, '');
  return found;
}

/** The file with the descriptions as they were last read against their statements. */
export const frozenFile = new URL('./stated-descriptions.yaml', import.meta.url);

/** How the file lists them: for each location the digits of its hash, then its basis. */
export function frozenForm(descriptions: readonly StatedDescription[]): Readonly<Record<string, string>> {
  return Object.fromEntries(descriptions.map(({ location, basis, hash }) => [location, `${hash} ${basis}`]));
}
