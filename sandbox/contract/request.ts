import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, ParameterizedContext } from 'koa';
import type { InvalidRequest } from '../domain/failures.ts';
import type { ParameterIssue, Slot } from './api.ts';
import type { Operation, Parameter } from './document.ts';
import type { Envelope } from './envelopes.ts';
import { combined } from './failure-tables.ts';
import { unknownName } from './nearest.ts';
import type { PathValues } from './routes.ts';
import { type Check, mostIssues, type Schemas } from './schemas.ts';
import type { Patience } from './types.ts';

/** Whether a header that must be single came more than once. Node keeps the first and drops the rest silently. */
export function isRepeated({ rawHeaders }: IncomingMessage, header: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times > 1;
}

/** A request's address as the application sees it, or what is wrong with it. */
export type Target = { readonly url: string } | { readonly problem: string };

/** What a Host header may say (RFC 9110, 7.2): a name or an address, and a port. */
const hostForm = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** The address of a request in its one spelling; a problem where its target or its Host is not well-formed (OP-67). */
export function arrival(request: IncomingMessage): Target {
  const { host } = request.headers;
  if (isRepeated(request, 'host')) return { problem: 'there is more than one Host header' };
  if (host === undefined && request.httpVersion === '1.1') return { problem: 'there is no Host header' };
  if (host !== undefined && !hostForm.test(host)) return { problem: 'the Host header is not a valid host and port' };
  return targetOf(request.url ?? '', host);
}

/**
 * Path and query of a request target in their one spelling (RFC 9112, 3.2; RFC 3986, 6.2.2), so that routing, log and
 * masking all see the same. An absolute target counts where it names the host that the Host header names.
 */
export function targetOf(raw: string, host = ''): Target {
  if (raw === '*') return { url: raw };
  const [, authority, below = raw] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(raw) ?? [];
  if (authority !== undefined && authority.toLowerCase() !== host.toLowerCase()) {
    return { problem: 'the target names a different host than the Host header' };
  }
  if (below.includes('#')) return { problem: 'the target has a fragment' };
  const whole = authority !== undefined && !below.startsWith('/') ? `/${below}` : below;
  if (!whole.startsWith('/')) return { problem: 'the target is not a path' };
  const mark = whole.indexOf('?');
  const path = pathOf(mark < 0 ? whole : whole.slice(0, mark));
  if (typeof path !== 'string') return path;
  const query = mark < 0 ? '' : new URLSearchParams(encoded(whole.slice(mark + 1))).toString();
  return { url: query === '' ? path : `${path}?${query}` };
}

/** Segments that have no other spelling, as nearly every path has them. */
const plainPath = /^(?:\/[\w~-]+)+$/;

function pathOf(raw: string): string | { readonly problem: string } {
  if (plainPath.test(raw)) return raw;
  const [, ...segments] = encoded(raw).split('/');
  if (segments.slice(0, -1).includes('')) return { problem: 'the path has an empty segment' };
  try {
    const decoded = segments.map(decodeURIComponent);
    if (decoded.includes('.') || decoded.includes('..')) return { problem: 'the path has a dot segment' };
    return `/${decoded.map((segment) => encodeURI(segment).replaceAll(/[/?#]/g, encodeURIComponent)).join('/')}`;
  } catch {
    return { problem: 'the path is not percent-encoded UTF-8' };
  }
}

/** Bytes that no address holds as they are, such as those of an umlaut, percent-encoded. */
function encoded(bytes: string): string {
  return bytes.replaceAll(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Aborts when the caller disconnects. It is created on first use: few handlers wait. */
export function leaving({ res }: Pick<Context, 'res'>): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller === undefined) {
      const made = new AbortController();
      controller = made;
      if (res.destroyed) made.abort();
      else res.once('close', () => made.abort());
    }
    return controller.signal;
  };
}

/** The patience of a call's caller; the call releases its slot while it waits. */
export function patienceOf(slot: Slot | undefined, gone: () => AbortSignal): (seconds: number) => Patience {
  const aside: Patience['aside'] = (waiting) => slot?.aside(waiting) ?? waiting;
  return (seconds) => ({ seconds, gone: gone(), aside });
}

/** Where a call carries its parameters. */
interface Carrier {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly path: Readonly<Record<string, string>>;
}

/** Reads a parameter from a call, as it was sent; undefined when absent. */
export function readerOf({ in: place, name }: Parameter): (call: Carrier) => unknown {
  const header = name.toLowerCase();
  switch (place) {
    case 'path':
      return ({ path }) => path[name];
    case 'header':
      return ({ headers }) => headers[header];
    case 'query':
      return ({ query }) => {
        const values = query.getAll(name);
        return values.length > 1 ? values : values[0];
      };
  }
}

/** The value of a parameter: a whole number where the contract asks for one, else the text. */
export function parameterValue({ integer }: Pick<Parameter, 'integer'>, sent: unknown): unknown {
  const isWhole = integer && typeof sent === 'string' && /^-?(0|[1-9][0-9]{0,14})$/.test(sent);
  return isWhole ? Number.parseInt(sent, 10) : sent;
}

/** Whether a caller prefers a page to JSON: browsers do, programs that accept anything do not. */
export function prefersPage(ctx: ParameterizedContext): boolean {
  return ctx.accepts('json', 'html') === 'html';
}

export type AnyFailure = { readonly kind: string };

/** A parameter, with its reader and its validator. */
interface KnownParameter {
  readonly parameter: Operation['parameters'][number];
  readonly read: (call: Carrier) => unknown;
  readonly check: Check;
}

/** The parameters of a call by their places, and what is wrong with them. */
export interface ParsedParameters {
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly issues: readonly ParameterIssue[];
  /** The query parameters that are refused because the contract does not have them. */
  readonly unknown: readonly InvalidRequest[];
}

export const noParameters: ParsedParameters = { query: {}, path: {}, header: {}, issues: [], unknown: [] };

/** The parameters of an operation: reads them from a request, and validates them. */
export class Parameters {
  readonly #parameters: readonly KnownParameter[];
  readonly #closedQuery: boolean;

  constructor({ parameters, closedQuery }: Operation, schemas: Schemas) {
    this.#closedQuery = closedQuery;
    this.#parameters = parameters.map((parameter) => ({
      parameter,
      read: readerOf(parameter),
      check: schemas.check(parameter.schema),
    }));
  }

  /** Whether nothing that a call sends is a parameter, or refused as one. */
  get isEmpty(): boolean {
    return this.#parameters.length === 0 && !this.#closedQuery;
  }

  /** Reads the parameters of a call. Those that are invalid are among the issues, and nowhere else. */
  read({ req, querystring }: Pick<Context, 'req' | 'querystring'>, path: PathValues): ParsedParameters {
    const call = { headers: req.headers, query: new URLSearchParams(querystring), path };
    const values: Record<'query' | 'path' | 'header', Record<string, unknown>> = { query: {}, path: {}, header: {} };
    const found: ParameterIssue[] = [];
    for (const { parameter, read, check } of this.#parameters) {
      const sent = read(call);
      if (sent === undefined) {
        if (parameter.required) found.push({ parameter, sent });
        continue;
      }
      const value = parameterValue(parameter, sent);
      const issues = check(value);
      if (issues === undefined) values[parameter.in][parameter.name] = value;
      else found.push({ parameter, sent, issues });
    }
    return { ...values, issues: found, unknown: this.#closedQuery ? this.#unknownIn(call.query) : [] };
  }

  #unknownIn(query: URLSearchParams): InvalidRequest[] {
    const known = this.#parameters.flatMap(({ parameter }) => (parameter.in === 'query' ? parameter.name : []));
    const names = [...new Set(query.keys())].filter((sent) => !known.includes(sent));
    return names
      .slice(0, mostIssues)
      .map((name) => ({ where: `query parameter ${name}`, problem: unknownName(name, known, 'parameter') }));
  }

  /** The refusal of a call with invalid parameters; undefined if it has none. */
  refusalOf({ issues, unknown }: ParsedParameters, envelope: Envelope<AnyFailure>): AnyFailure | undefined {
    const invalid = issues.map(({ parameter, issues: found }) => ({
      where: `${parameter.in} parameter ${parameter.name}`,
      problem: found?.[0].problem ?? 'is required',
    }));
    const [first, ...others] = [...unknown, ...invalid];
    if (first === undefined) return undefined;
    return envelope.invalid(
      combined([first, ...others]),
      unknown.length === 0 ? issues[0]?.parameter.failure : undefined,
    );
  }
}
