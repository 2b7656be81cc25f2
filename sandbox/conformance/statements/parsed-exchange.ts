import { isBlank } from '../../activity-log/masking.ts';
import { formFields } from '../../contract/body.ts';
import { once } from '../../runtime/caches.ts';
import { contentOf, excessOf } from '../decoding.ts';
import { type Exchange, header, type Message } from '../exchange.ts';

/** An exchange parsed for the rules, with its operation, status, query, and both bodies as JSON. */
export interface ParsedExchange {
  /** The operationId. */
  readonly operation: string;
  readonly exchange: Exchange;
  /** `undefined` if no reply was captured. */
  readonly status: number | undefined;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON of the request. `undefined` if the request has none, or it was not captured. */
  readonly sent: unknown;
  /** The JSON of the reply. */
  readonly received: unknown;
}

/**
 * Parses an exchange for the rules, with each body parsed on first use. A body that is not JSON, or exceeds the limits, counts as
 * unknown.
 */
export function parseExchange(operation: string, exchange: Exchange): ParsedExchange {
  const [, query = ''] = exchange.path.split('?');
  const { request, reply } = exchange;
  const sent = once(() => ({ json: jsonOf(request) }));
  const received = once(() => ({ json: reply && jsonOf(reply) }));
  return {
    operation,
    exchange,
    status: reply?.status,
    query: formFields(query),
    get sent() {
      return sent().json;
    },
    get received() {
      return received().json;
    },
  };
}

/** Returns the JSON of a message. Returns `undefined` if the message has none or its value exceeds the limits. */
export function jsonOf(message: Message): unknown {
  const content = contentOf(message);
  if (content.kind === 'text') {
    const { value, excess } = content.json() ?? {};
    return excess === undefined ? value : undefined;
  }
  return content.kind === 'value' && excessOf(content.value) === undefined ? content.value : undefined;
}

/** Returns a query parameter that occurs exactly once, or `undefined`. */
export function parameter({ query }: ParsedExchange, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns whether a query parameter is absent. */
export function isOmitted({ query }: ParsedExchange, name: string): boolean {
  return query[name] === undefined;
}

/** Returns the token of a request without its scheme. Returns `undefined` if there is no token, or it is masked. */
export function tokenOf({ exchange }: ParsedExchange): string | undefined {
  const value = header(exchange.request.headers, 'authorization');
  const token = value?.replace(/^Bearer\s+/i, '');
  return token === undefined || token === '' || /^\*|\*{3}|^Basic\s/i.test(token) ? undefined : token;
}

/** Returns whether the reply has a 2xx status. */
export function isSuccess({ status }: Pick<ParsedExchange, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object, or no fields for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns the items of a list, or `undefined` for any other value. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Returns a string that is neither empty nor masked, or `undefined`. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !isBlank(value) ? value : undefined;
}

/** Returns an integer, including one written as text, or `undefined`. */
export function wholeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Returns whether any string in a value is masked, so that the real value is unknown. */
export function hasMasked(value: unknown): boolean {
  if (typeof value === 'string') return isBlank(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMasked);
}

/** Yields the primitive values nested in a value, with their field names. Stops after 500 values. */
export function* leavesOf(value: unknown, name = '', budget = { left: 500 }): Generator<readonly [string, unknown]> {
  if (budget.left-- <= 0) return;
  if (typeof value !== 'object' || value === null) yield [name, value];
  else if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, name, budget);
  else for (const [key, field] of Object.entries(value)) yield* leavesOf(field, key, budget);
}
