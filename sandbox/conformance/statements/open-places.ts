/** Where the messages of an operation rest on what the interface leaves open. */
import { constraintsOf, idsOf, type Part, partsOf } from '../../contract/basis.ts';
import { at, type Node } from '../../contract/document.ts';
import type { CheckedOperation } from '../contracts.ts';
import { basisOfAddress, OperationBasis } from '../flaw-basis.ts';
import type { Place } from './places.ts';
import { isOpenPoint } from './rule.ts';

/** Keywords whose number a value has to reach before they decide anything. */
const limits = new Set(
  `maxLength minLength maximum minimum exclusiveMaximum exclusiveMinimum maxItems minItems`.split(' '),
);

/** Keywords that decide only where they refuse, and that is a finding. */
const refusing = new Set(
  `additionalProperties unevaluatedProperties unevaluatedItems propertyNames not dependentRequired uniqueItems
  maxProperties minProperties maxContains minContains`.split(/\s+/),
);

/** Contracts do not change: the places of each operation are read when its first call is counted. */
const placesByOperation = new WeakMap<CheckedOperation, readonly Place[]>();

/** The places in messages of an operation, each with the open point that a call with that place relies on. */
export function openPlaces(operation: CheckedOperation): readonly Place[] {
  const places = placesByOperation.get(operation) ?? readPlaces(operation.asHost ?? operation);
  placesByOperation.set(operation, places);
  return places;
}

function readPlaces(operation: CheckedOperation): readonly Place[] {
  const { pointer, contract, credentials, hostedBy } = operation;
  // What the sandbox adds to the interface leaves nothing open.
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
