/** Locations in messages. An exchange that contains a location exercises the statement or open point with its id. */

import { constraintsOf, idsOf, type Part, partsOf } from '../../contract/basis.ts';
import { at, type Node } from '../../contract/document.ts';
import { getOrCreate } from '../../runtime/caches.ts';
import type { CheckedOperation } from '../contracts.ts';
import { header } from '../exchange.ts';
import { basisOfAddress, OperationBasis } from '../flaw-basis.ts';
import { fieldsOf, itemsOf, type ParsedExchange } from './parsed-exchange.ts';
import { isOpenPoint } from './rule.ts';
import type { Statement } from './statements.ts';

/** The form of a location in the tables of statements: operation, direction, status, field and value. */
const form = /^(\w+) ([<>])(?: (\d{3}))?(?: \/([^=]+?)(?:=(.+))?)?$/;

export interface Place {
  readonly id: string;
  readonly direction: 'request' | 'reply';
  readonly status?: number | undefined;
  /** `body`, `query`, `path` or `headers`, followed by the steps below it. Empty for the whole message. */
  readonly steps: readonly string[];
  /** The required value, if only one value matches. */
  readonly value?: string | undefined;
  /** The required number: the value itself, or the length of a string or a list. */
  readonly limit?: number;
}

/** Returns the locations of statements, by operation. Throws if a location is malformed. */
export function placesOf(statements: readonly Statement[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const { id, contract } of statements) {
    for (const text of contract) {
      const [, operation, arrow, status, pointer, value] = form.exec(text) ?? [];
      if (operation === undefined) throw new Error(`${id}: ${text} is not a location in a message`);
      getOrCreate(places, operation, () => []).push({
        id,
        direction: arrow === '>' ? 'request' : 'reply',
        status: status === undefined ? undefined : Number(status),
        steps: pointer?.split('/') ?? [],
        value,
      });
    }
  }
  return places;
}

/** Returns the ids of the locations that an exchange contains. */
export function exercised(places: readonly Place[], parsed: ParsedExchange): ReadonlySet<string> {
  const found = new Set<string>();
  for (const place of places) if (!found.has(place.id) && isThere(place, parsed)) found.add(place.id);
  return found;
}

function isThere(place: Place, parsed: ParsedExchange): boolean {
  const { direction, status, steps, value } = place;
  if (direction === 'reply' && (parsed.status === undefined || (status ?? parsed.status) !== parsed.status))
    return false;
  const [part, ...within] = steps;
  // Every call contains its path parameters.
  if (part === undefined || part === 'path') return true;
  if (part === 'headers') {
    const [name = ''] = within;
    const { request, headerNames } = parsed.exchange;
    return headerNames?.includes(name) ?? header(request.headers, name) !== undefined;
  }
  if (part === 'query') {
    const given = parsed.query[within[0] ?? ''];
    return given !== undefined && (value === undefined || given === value);
  }
  return has(direction === 'request' ? parsed.sent : parsed.received, within, place);
}

function has(body: unknown, [step, ...rest]: readonly string[], place: Place): boolean {
  if (body === undefined) return false;
  if (step === undefined) {
    const { value, limit } = place;
    return (value === undefined || body === value) && (limit === undefined || measureOf(body) === limit);
  }
  if (step === '*') return itemsOf(body)?.some((item) => has(item, rest, place)) === true;
  return has(fieldsOf(body)[step], rest, place);
}

function measureOf(value: unknown): unknown {
  return typeof value === 'string' || Array.isArray(value) ? value.length : value;
}

/** Message locations that depend on the interface's open points. */

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
  return getOrCreate(placesByOperation, operation, () => readPlaces(operation.asHost ?? operation));
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
