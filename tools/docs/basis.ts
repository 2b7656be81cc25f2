/**
 * Says at every parameter, body, field and reply of a contract whether the interface states it, or this sandbox chose
 * it.
 */
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

/** Writes the basis of each part into the descriptions of a bundle. */
export function showBasis(bundle: Node): void {
  const pristine = structuredClone(bundle);
  const seen = new Map<string, string>();
  const annotated = new Set<Node>();

  /** A schema, and all within it, resting on `around` unless it says otherwise. */
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

  /** A schema by reference. If its earlier use has another basis, it is written out again in this place. */
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

  /** What a reference shows where it has no words of its own. */
  function described(node: Node): string | undefined {
    return node.$ref === undefined ? undefined : resolve(bundle, node.$ref).description;
  }

  /** The keywords of a field, and of what it is put together from, that rest on something else than the field does. */
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

/** A description followed by its basis. */
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
