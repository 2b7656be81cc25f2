/** Places in messages, each with the id of what an exchange that has it exercises. */
import { header } from '../exchange.ts';
import { fieldsOf, itemsOf, type ParsedExchange } from './parsed-exchange.ts';
import type { Statement } from './statement-tables.ts';

/** How the table of statements writes a place: operation, direction, status, field and value. */
const form = /^(\w+) ([<>])(?: (\d{3}))?(?: \/([^=]+?)(?:=(.+))?)?$/;

interface Place {
  readonly id: string;
  readonly direction: 'request' | 'reply';
  readonly status: number | undefined;
  /** `body`, `query` or `headers`, and what is within; empty for the message as a whole. */
  readonly steps: readonly string[];
  /** The value that has to stand there, where not any will do. */
  readonly value: string | undefined;
}

/** The places of statements by operation. Throws where one is not of its form. */
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

/** The ids of the places that an exchange has. */
export function exercised(places: readonly Place[], parsed: ParsedExchange): ReadonlySet<string> {
  return new Set(places.filter((place) => isThere(place, parsed)).map(({ id }) => id));
}

function isThere({ direction, status, steps, value }: Place, parsed: ParsedExchange): boolean {
  if (direction === 'reply' && (parsed.status === undefined || (status ?? parsed.status) !== parsed.status))
    return false;
  const [part, ...within] = steps;
  if (part === undefined) return true;
  if (part === 'headers') return header(parsed.exchange.request.headers, within[0] ?? '') !== undefined;
  if (part === 'query') {
    const given = parsed.query[within[0] ?? ''];
    return given !== undefined && (value === undefined || given === value);
  }
  return has(direction === 'request' ? parsed.sent : parsed.received, within, value);
}

function has(body: unknown, [step, ...rest]: readonly string[], value: string | undefined): boolean {
  if (body === undefined) return false;
  if (step === undefined) return value === undefined || body === value;
  if (step === '*') return itemsOf(body)?.some((item) => has(item, rest, value)) === true;
  return has(fieldsOf(body)[step], rest, value);
}
