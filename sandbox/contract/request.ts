import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, ParameterizedContext } from 'koa';
import type { InvalidRequest } from '../domain/failures.ts';
import type { ParameterIssue, Slot } from './api.ts';
import type { Operation, Parameter } from './document.ts';
import type { Envelope } from './envelopes.ts';
import { combined } from './failure-tables.ts';
import { unknownName } from './problem-texts.ts';
import type { PathValues } from './routes.ts';
import { type Check, mostIssues, type Schemas } from './schemas.ts';
import type { Patience } from './types.ts';

/** Returns whether a header was sent more than once. Node silently drops all but the first of some headers. */
export function isRepeated({ rawHeaders }: IncomingMessage, header: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times > 1;
}

/** The normalized path and query of a request, or the reason that they are invalid. */
export type Target = { readonly url: string } | { readonly problem: string };

/** A valid Host header (RFC 9110, 7.2): a name or an IP address, and optionally a port. */
const hostForm = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** Returns the normalized target of a request, or a problem if the target or the Host header is malformed (OP-67). */
export function arrival(request: IncomingMessage): Target {
  const { host } = request.headers;
  if (isRepeated(request, 'host')) return { problem: 'there is more than one Host header' };
  if (host === undefined && request.httpVersion === '1.1') return { problem: 'there is no Host header' };
  if (host !== undefined && !hostForm.test(host)) return { problem: 'the Host header is not a valid host and port' };
  return targetOf(request.url ?? '', host);
}

/**
 * Normalizes the path and query of a request target (RFC 9112, 3.2; RFC 3986, 6.2.2), so that routing, logging and
 * masking use the same text. An absolute target must name the same host as the Host header.
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

/** A path that is already normalized, as almost all paths are. */
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

/** Percent-encodes bytes that a URL cannot contain, such as those of an umlaut. */
function encoded(bytes: string): string {
  return bytes.replaceAll(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Returns a getter for a signal that aborts when the caller disconnects. The signal is created on first use, because few handlers wait. */
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

/** Returns a factory for the `Patience` of a call. The call releases its slot while it waits. */
export function patienceOf(slot: Slot | undefined, gone: () => AbortSignal): (seconds: number) => Patience {
  const aside: Patience['aside'] = (waiting) => slot?.aside(waiting) ?? waiting;
  return (seconds) => ({ seconds, gone: gone(), aside });
}

/** The parts of a call that can contain parameters. */
interface Carrier {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly path: Readonly<Record<string, string>>;
}

/** Returns a function that reads a parameter from a call. It returns the value as sent, or `undefined` if it is missing. */
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

/** Converts a sent value to a number if the contract requires an integer and the text is one. Returns other values unchanged. */
export function parameterValue({ integer }: Pick<Parameter, 'integer'>, sent: unknown): unknown {
  const isWhole = integer && typeof sent === 'string' && /^-?(0|[1-9][0-9]{0,14})$/.test(sent);
  return isWhole ? Number.parseInt(sent, 10) : sent;
}

/** Returns whether a caller prefers HTML to JSON. Browsers do, but programs that accept anything do not. */
export function prefersPage(ctx: ParameterizedContext): boolean {
  return ctx.accepts('json', 'html') === 'html';
}

/** A failure of any kind. */
export type AnyFailure = { readonly kind: string };

/** A parameter with its reader and its validator. */
interface KnownParameter {
  readonly parameter: Parameter;
  readonly read: (call: Carrier) => unknown;
  readonly check: Check;
}

/** The valid parameters of a call by location, and the issues of the invalid ones. */
export interface ParsedParameters {
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly issues: readonly ParameterIssue[];
  /** Query parameters that are refused because they are not in the contract. */
  readonly unknown: readonly InvalidRequest[];
}

/** The result for a call whose parameters were not read. */
export const noParameters: ParsedParameters = { query: {}, path: {}, header: {}, issues: [], unknown: [] };

/** Reads and validates the parameters of an operation. */
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

  /** Whether the operation neither has parameters nor refuses unknown query parameters. */
  get isEmpty(): boolean {
    return this.#parameters.length === 0 && !this.#closedQuery;
  }

  /** Reads the parameters of a call. Invalid parameters appear only in the issues. */
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

  /** Returns the failure for a call with invalid or unknown parameters, or `undefined` if it has none. */
  refusalOf({ issues, unknown }: ParsedParameters, envelope: Envelope<AnyFailure>): AnyFailure | undefined {
    const invalid = issues.map(({ parameter, issues: found }) => ({
      where: `${parameter.in} parameter ${parameter.name}`,
      problem: found?.[0].problem ?? 'is required',
    }));
    const [first, ...others] = [...unknown, ...invalid];
    if (first === undefined) return undefined;
    const named = unknown.length === 0 ? issues[0]?.parameter.failure : undefined;
    return envelope.invalid(combined([first, ...others]), named);
  }
}
