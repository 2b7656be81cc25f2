import { contentOf, fields } from '../decoding.ts';
import { type Exchange, header, type Message } from '../exchange.ts';
import { excessOf } from '../extent.ts';

/** An exchange as rules read it: its operation and status, its query, and both bodies as JSON. */
export interface ParsedExchange {
  /** The operationId. */
  readonly operation: string;
  readonly exchange: Exchange;
  /** Undefined if no response was captured. */
  readonly status: number | undefined;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON of the request; undefined if there is none, or it was not captured. */
  readonly sent: unknown;
  /** The JSON of the reply. */
  readonly received: unknown;
}

/**
 * Reads an exchange for the rules, as far as they look into it. A body that is no JSON, or too large to look into, counts
 * as unknown.
 */
export function parseExchange(operation: string, exchange: Exchange): ParsedExchange {
  const [, query = ''] = exchange.path.split('?');
  const { request, reply } = exchange;
  const sent = once(() => jsonOf(request));
  const received = once(() => reply && jsonOf(reply));
  return {
    operation,
    exchange,
    status: reply?.status,
    query: fields(query),
    get sent() {
      return sent();
    },
    get received() {
      return received();
    },
  };
}

/** A value that is computed on first use. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function jsonOf(message: Message): unknown {
  const content = contentOf(message);
  if (content.kind === 'text') {
    const { value, excess } = content.json() ?? {};
    return excess === undefined ? value : undefined;
  }
  return content.kind === 'value' && excessOf(content.value) === undefined ? content.value : undefined;
}

/** A query parameter that came once; undefined where it did not come, or more than once. */
export function parameter({ query }: ParsedExchange, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether a query parameter is not there at all. */
export function isOmitted({ query }: ParsedExchange, name: string): boolean {
  return query[name] === undefined;
}

/** The token of a request, without its scheme; undefined where none came, or it is masked. */
export function tokenOf({ exchange }: ParsedExchange): string | undefined {
  const value = header(exchange.request.headers, 'authorization');
  const token = value?.replace(/^Bearer\s+/i, '');
  return token === undefined || token === '' || /^\*|\*{3}|^Basic\s/i.test(token) ? undefined : token;
}

/** Whether the reply is a success. */
export function isSuccess({ status }: Pick<ParsedExchange, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
