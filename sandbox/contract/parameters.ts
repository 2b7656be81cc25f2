import type { Context } from 'koa';
import type { Api, ParameterIssue } from './api.ts';
import type { Operation } from './document.ts';
import { type Carrier, parameterValue, readerOf } from './request.ts';
import type { Check } from './schemas.ts';
import type { StatusTable } from './types.ts';

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
  readonly #envelope: ParameterContract['envelope'];

  constructor({ parameters }: Operation, { contract, envelope }: ParameterContract) {
    this.#envelope = envelope;
    this.#parameters = parameters.map((parameter) => ({
      parameter,
      read: readerOf(parameter),
      check: contract.schemas.check(parameter.schema),
    }));
  }

  get isEmpty(): boolean {
    return this.#parameters.length === 0;
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
    return { ...values, issues: found };
  }

  /** The refusal of a call with invalid parameters; undefined if it has none. */
  refusalOf({ issues: [first] }: ParsedParameters): AnyFailure | undefined {
    if (first === undefined) return undefined;
    const { parameter, issues } = first;
    const where = `${parameter.in} parameter ${parameter.name}`;
    return this.#envelope.invalid({ where, problem: issues?.[0].problem ?? 'is required' }, parameter.failure);
  }
}
