/** Adds the basis to every parameter, body, field and reply of a contract: stated by the interface, or assumed by this sandbox. */
import {
  basisOf,
  idsOf,
  isStated,
  keywordBases,
  operationsIn,
  ownBasis,
  partsOf,
  subschemas,
} from '../../sandbox/contract/basis.ts';
import { at } from '../../sandbox/contract/document.ts';
import { pageOf } from './citations.ts';

type Node = { [key: string]: unknown; $ref?: string; description?: string };

/** Adds the basis of each element to the descriptions in a bundle. Modifies the bundle. */
export function showBasis(bundle: Node): void {
  const pristine = structuredClone(bundle);
  const seen = new Map<string, string>();
  const annotated = new Set<Node>();

  /** Annotates a schema and its subschemas. They inherit the basis `around` unless they declare their own. */
  function schema(node: Node, around: string): void {
    if (node.$ref !== undefined) return shared(node, around);
    const basis = ownBasis(node) ?? around;
    for (const { key, node: within } of subschemas(node)) {
      schema(within as Node, basis);
      if (key.startsWith('properties/')) field(within as Node, basis);
    }
  }

  function field(node: Node, around: string): void {
    if (annotated.has(node)) return;
    annotated.add(node);
    const words = node.description ?? described(node);
    node.description = [withBasis(words, basisOf(bundle, node, around)), ...exceptions(node)].join(' ');
  }

  /** Annotates a referenced schema. If an earlier use has another basis, replaces the reference with a copy. */
  function shared(node: Node, around: string): void {
    const reference = node.$ref ?? '';
    const rests = basisOf(bundle, node, around);
    const before = seen.get(reference);
    if (before === undefined) {
      seen.set(reference, rests);
      schema(resolve(bundle, reference), rests);
    } else if (before !== rests && resolve(bundle, reference).properties !== undefined) {
      delete node.$ref;
      Object.assign(node, { ...structuredClone(resolve(pristine, reference)), ...node });
      schema(node, rests);
    }
  }

  /** Returns the description of the referenced schema, for a reference without a description. */
  function described(node: Node): string | undefined {
    return node.$ref === undefined ? undefined : resolve(bundle, node.$ref).description;
  }

  /** Lists keywords whose basis differs from the field's, in the field and its composed schemas. */
  function exceptions(node: Node): string[] {
    const found = new Map<string, string>();
    const collect = (part: Node): void => {
      for (const [keyword, basis] of keywordBases(part)) found.set(keyword, basis);
      if (part.$ref !== undefined) collect(resolve(bundle, part.$ref));
      for (const each of (part.allOf ?? []) as Node[]) collect(each);
    };
    collect(node);
    return [...Map.groupBy(found, ([, basis]) => basis)].map(
      ([basis, keywords]) => `${keywords.map(([keyword]) => `\`${keyword}\``).join(', ')}: ${badge(basis)}`,
    );
  }

  for (const pointer of operationsIn(bundle)) {
    const operation = at(bundle, pointer) as Node;
    const parts = partsOf(bundle, pointer);
    operation.description = withBasis(operation.description, basisOf(bundle, operation, ''));
    for (const part of parts) {
      const node = at(bundle, part.pointer) as Node;
      if (annotated.has(node)) continue;
      annotated.add(node);
      node.description = withBasis(node.description, part.basis);
      for (const place of part.schemas) schema(at(bundle, place) as Node, part.basis);
    }
  }
}

/** Returns the description followed by its basis. */
function withBasis(description: string | undefined, basis: string): string {
  const words = description?.trim() ?? '';
  return words === '' ? badge(basis) : `${words}${words.includes('\n') ? '\n\n' : ' '}${badge(basis)}`;
}

function badge(basis: string): string {
  const links = idsOf(basis).map((id) => `[${id}](/docs${pageOf(id)})`);
  return `**${isStated(basis) ? 'Stated' : 'Assumed'}** (${links.join(', ')})`;
}

function resolve(bundle: Node, reference: string): Node {
  const found = at(bundle, reference.slice(1));
  if (found === null || typeof found !== 'object') throw new Error(`${reference} leads nowhere.`);
  return found as Node;
}
