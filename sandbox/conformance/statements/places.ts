/** Locations in messages. An exchange that contains a location exercises the statement or open point with its id. */
import { header } from '../exchange.ts';
import { fieldsOf, itemsOf, type ParsedExchange } from './parsed-exchange.ts';
import type { Statement } from './statement-tables.ts';

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
  for (const { id, contract = [] } of statements) {
    for (const text of contract) {
      const [, operation, arrow, status, pointer, value] = form.exec(text) ?? [];
      if (operation === undefined) throw new Error(`${id}: ${text} is not a location in a message`);
      const listed = places.get(operation) ?? [];
      listed.push({
        id,
        direction: arrow === '>' ? 'request' : 'reply',
        status: status === undefined ? undefined : Number(status),
        steps: pointer?.split('/') ?? [],
        value,
      });
      places.set(operation, listed);
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
