/** The statement or open point that a place of a reply rests on. */

import type { CheckedOperation } from '../conformance/contracts.ts';
import { basisOf, constraintsOf, isStated, type Part, partsOf } from '../contract/basis.ts';
import { at, type Node } from '../contract/document.ts';

/** The reply of an operation with this status, as the sandbox documents it. */
function replyPart(operation: CheckedOperation, status: number): Part | undefined {
  const { contract, pointer } = operation.asHost ?? operation;
  return partsOf(contract.bundle, pointer).find((part) => part.kind === 'reply' && part.status === String(status));
}

/** What the status of a reply rests on; undefined if the contract does not have it. */
export function basisOfStatus(operation: CheckedOperation, status: number): string | undefined {
  return replyPart(operation, status)?.basis;
}

/** What a header of a reply rests on; undefined if the contract does not have it. */
export function basisOfHeader(operation: CheckedOperation, status: number, name: string): string | undefined {
  const { bundle } = (operation.asHost ?? operation).contract;
  const part = replyPart(operation, status);
  if (part === undefined) return undefined;
  const { headers = {} } = at(bundle, part.pointer) as { headers?: Record<string, Node> };
  const [, node] = Object.entries(headers).find(([written]) => written.toLowerCase() === name) ?? [];
  return node && basisOf(bundle, node, part.basis);
}

/** The places in the body of a reply, each with what it rests on. */
export function placesIn(operation: CheckedOperation, status: number): ReadonlyMap<string, string> {
  const { bundle } = (operation.asHost ?? operation).contract;
  const part = replyPart(operation, status);
  const places = new Map<string, string>();
  for (const schema of part?.schemas ?? [])
    for (const { place, basis } of constraintsOf(bundle, schema, part?.basis ?? '')) {
      const pointer = place.map((step) => `/${step}`).join('');
      if (!places.has(pointer)) places.set(pointer, basis);
    }
  return places;
}

/**
 * What a place rests on: what the contract says of it, or the open point of what is around it. Undefined where the contract does not
 * have it and nothing around it is open.
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
