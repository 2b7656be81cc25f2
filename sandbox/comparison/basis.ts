/** The basis of each part of a reply: the statement or the open point that it rests on. */

import type { CheckedOperation } from '../conformance/contracts.ts';
import { basisOf, constraintsOf, isStated, partsOf } from '../contract/basis.ts';
import { at, type Node } from '../contract/document.ts';

/** Returns the sandbox contract of an operation, and its part that documents this status. */
function replyPart(operation: CheckedOperation, status: number) {
  const { contract, pointer } = operation.asHost ?? operation;
  const { bundle } = contract;
  const part = partsOf(bundle, pointer).find(({ kind, status: own }) => kind === 'reply' && own === String(status));
  return { bundle, part };
}

/** Returns the basis of a reply's status, or `undefined` if the contract does not document that status. */
export function basisOfStatus(operation: CheckedOperation, status: number): string | undefined {
  return replyPart(operation, status).part?.basis;
}

/** Returns the basis of a reply header, or `undefined` if the contract does not document that header. */
export function basisOfHeader(operation: CheckedOperation, status: number, name: string): string | undefined {
  const { bundle, part } = replyPart(operation, status);
  if (part === undefined) return undefined;
  const { headers = {} } = at(bundle, part.pointer) as { headers?: Record<string, Node> };
  const [, node] = Object.entries(headers).find(([written]) => written.toLowerCase() === name) ?? [];
  return node && basisOf(bundle, node, part.basis);
}

/** Maps the JSON pointer of each documented location in a reply body to its basis. */
export function placesIn(operation: CheckedOperation, status: number): ReadonlyMap<string, string> {
  const { bundle, part } = replyPart(operation, status);
  const places = new Map<string, string>();
  for (const schema of part?.schemas ?? [])
    for (const { place, basis } of constraintsOf(bundle, schema, part?.basis ?? '')) {
      const pointer = place.map((step) => `/${step}`).join('');
      if (!places.has(pointer)) places.set(pointer, basis);
    }
  return places;
}

/**
 * Returns the basis of a location: its own, or the open point of its nearest documented ancestor. Returns `undefined` if that
 * ancestor rests on a statement or if there is none.
 */
export function basisOfPlace(places: ReadonlyMap<string, string>, pointer: string): string | undefined {
  const own = places.get(pointer);
  if (own !== undefined) return own;
  for (let around = pointer; around !== ''; ) {
    around = around.slice(0, around.lastIndexOf('/'));
    const basis = places.get(around);
    if (basis !== undefined) return isStated(basis) ? undefined : basis;
  }
  return undefined;
}
