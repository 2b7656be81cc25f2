/** Message locations that depend on the interface's open points. */
import { constraintsOf, idsOf, type Part, partsOf } from '../../contract/basis.ts';
import { at, type Node } from '../../contract/document.ts';
import type { CheckedOperation } from '../contracts.ts';
import { basisOfAddress, OperationBasis } from '../flaw-basis.ts';
import type { Place } from './places.ts';
import { isOpenPoint } from './rule.ts';

/** Keywords with a limit, which matter only for values that reach the limit. */
const limits = new Set(
  `maxLength minLength maximum minimum exclusiveMaximum exclusiveMinimum maxItems minItems`.split(' '),
);

/** Keywords that matter only when they refuse a value, which is a finding. */
const refusing = new Set(
  `additionalProperties unevaluatedProperties unevaluatedItems propertyNames not dependentRequired uniqueItems
  maxProperties minProperties maxContains minContains`.split(/\s+/),
);

/** Locations by operation. Contracts do not change, so an operation is read only once, on its first call. */
const placesByOperation = new WeakMap<CheckedOperation, readonly Place[]>();

/**
 * Returns the message locations of an operation that rest on open points. A call with a value at such a location relies on the open
 * point.
 */
export function openPlaces(operation: CheckedOperation): readonly Place[] {
  const places = placesByOperation.get(operation) ?? readPlaces(operation.asHost ?? operation);
  placesByOperation.set(operation, places);
  return places;
}

function readPlaces(operation: CheckedOperation): readonly Place[] {
  const { pointer, contract, credentials, hostedBy } = operation;
  // Operations that the sandbox adds to the interface have no open points.
  if (hostedBy !== 'platform' && hostedBy !== 'client') return [];
  const bases = new OperationBasis(operation);
  const request = { direction: 'request', steps: [] } as const;
  const authorization = { ...request, steps: ['headers', 'authorization'] };
  const rests: readonly RestingPlace[] = [
    { basis: basisOfAddress(operation), ...request },
    { basis: bases.whole, ...request },
    ...(credentials.schemes.length > 0 ? [{ basis: bases.credential, ...authorization }] : []),
    ...partsOf(contract.bundle, pointer).flatMap((part) => placesOfPart(contract.bundle, part)),
  ];
  const found = new Map<string, Place>();
  for (const { basis, ...place } of rests)
    for (const id of idsOf(basis).filter(isOpenPoint)) found.set(JSON.stringify([id, place]), { id, ...place });
  return [...found.values()];
}

type RestingPlace = Omit<Place, 'id'> & { readonly basis: string };

function placesOfPart(bundle: Node, { kind, pointer, basis, status, schemas }: Part): readonly RestingPlace[] {
  if (kind === 'header') return [];
  if (kind === 'parameter') {
    const { in: within, name } = at(bundle, pointer) as { readonly in: string; readonly name: string };
    const steps = within === 'header' ? ['headers', name.toLowerCase()] : [within, name];
    return [{ basis, direction: 'request', steps }];
  }
  const message = kind === 'reply' ? { direction: kind, status: Number(status) } : ({ direction: 'request' } as const);
  const decisive = schemas
    .flatMap((schema) => constraintsOf(bundle, schema, basis, ['description']))
    .filter(({ keyword }) => !refusing.has(keyword));
  return [
    { basis, ...message, steps: kind === 'reply' ? [] : ['body'] },
    ...decisive.map(({ basis: own, keyword, rule, place }) => {
      const limit = limits.has(keyword) ? at(bundle, rule) : undefined;
      return { basis: own, ...message, steps: ['body', ...place], ...(typeof limit === 'number' && { limit }) };
    }),
  ];
}
