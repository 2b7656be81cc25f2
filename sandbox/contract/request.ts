import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { InvalidRequest } from '../domain/failures.ts';
import type { Api, ParameterIssue } from './api.ts';
import type { Operation, Parameter } from './document.ts';
import { unknownName } from './nearest.ts';
import type { Check } from './schemas.ts';
import type { Patience, StatusTable } from './types.ts';

/** Whether a header that must be single came more than once. Node keeps the first and drops the rest silently. */
export function isRepeated({ rawHeaders }: IncomingMessage, header: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times > 1;
}

/** Aborts when the caller disconnects. It is created on first use: few handlers wait. */
export function leaving({ res }: Context): () => AbortSignal {
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
export function patienceOf({ res }: Context, gone: () => AbortSignal): (seconds: number) => Patience {
  const aside: Patience['aside'] = (waiting) => slotOf(res)?.aside(waiting) ?? waiting;
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
export function prefersPage(ctx: Context): boolean {
  return ctx.accepts('json', 'html') === 'html';
}

/** What counts a call among those in service. */
export interface Slot {
  /** Releases the slot while the call only waits, and takes it again afterwards. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

const slotKey = Symbol('slot');

type Counted = ServerResponse & { [slotKey]?: Slot };

/** Sets the slot of a call when it is admitted. */
export function setSlot(response: Counted, slot: Slot): void {
  response[slotKey] = slot;
}

/** The slot of the call that this is the reply to; undefined if calls are not counted. */
function slotOf(response: Counted): Slot | undefined {
  return response[slotKey];
}

export type PathValues = Readonly<Record<string, string>>;
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
  /** The first query parameter that is refused because the contract does not have it. */
  readonly unknown?: InvalidRequest | undefined;
}

export const noParameters: ParsedParameters = { query: {}, path: {}, header: {}, issues: [] };

/** The parts of an API that its parameters need. */
type ParameterContract = Pick<
  Api<unknown, unknown, unknown, AnyFailure, StatusTable<AnyFailure>>,
  'contract' | 'envelope'
>;

/** The parameters of an operation: reads them from a request, and validates them. */
export class Parameters {
  readonly #parameters: readonly KnownParameter[];
  readonly #closedQuery: boolean;
  readonly #envelope: ParameterContract['envelope'];

  constructor({ parameters, closedQuery }: Operation, { contract, envelope }: ParameterContract) {
    this.#closedQuery = closedQuery;
    this.#envelope = envelope;
    this.#parameters = parameters.map((parameter) => ({
      parameter,
      read: readerOf(parameter),
      check: contract.schemas.check(parameter.schema),
    }));
  }

  /** Whether nothing that a call sends is a parameter, or refused as one. */
  get isEmpty(): boolean {
    return this.#parameters.length === 0 && !this.#closedQuery;
  }

  /** Reads the parameters of a call. Those that are invalid are among the issues, and nowhere else. */
  read({ req, querystring }: Context, path: PathValues): ParsedParameters {
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
    return { ...values, issues: found, unknown: this.#closedQuery ? this.#unknownIn(call.query) : undefined };
  }

  #unknownIn(query: URLSearchParams): InvalidRequest | undefined {
    const known = this.#parameters.flatMap(({ parameter }) => (parameter.in === 'query' ? parameter.name : []));
    const name = query.keys().find((sent) => !known.includes(sent));
    if (name === undefined) return undefined;
    return { where: `query parameter ${name}`, problem: unknownName(name, known, 'parameter') };
  }

  /** The refusal of a call with invalid parameters; undefined if it has none. */
  refusalOf({ issues: [first], unknown }: ParsedParameters): AnyFailure | undefined {
    if (unknown !== undefined) return this.#envelope.invalid(unknown);
    if (first === undefined) return undefined;
    const { parameter, issues } = first;
    const where = `${parameter.in} parameter ${parameter.name}`;
    return this.#envelope.invalid({ where, problem: issues?.[0].problem ?? 'is required' }, parameter.failure);
  }
}
