import type { Context } from 'koa';
import type { Api } from './api.ts';
import type { Operation } from './document.ts';
import { type Carrier, readerOf } from './request.ts';
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

/** The parameters of a call by their places, or why it is refused. */
export interface Given {
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly refusal?: AnyFailure;
}

export const nothingGiven: Given = { query: {}, path: {}, header: {} };

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

  /** Reads the parameters of a call. The first that is invalid refuses it. */
  read({ req, querystring }: Context, path: PathValues): Given {
    const sent = { headers: req.headers, query: new URLSearchParams(querystring), path };
    const given: Record<'query' | 'path' | 'header', Record<string, unknown>> = { query: {}, path: {}, header: {} };
    for (const { parameter, read, check } of this.#parameters) {
      const value = read(sent);
      if (value === undefined && !parameter.required) continue;
      const found = value === undefined ? { problem: 'is required' } : check(value);
      if (found !== undefined) {
        const where = `${parameter.in} parameter ${parameter.name}`;
        const refusal = this.#envelope.invalid({ where, problem: found.problem }, parameter.failure);
        return { ...given, refusal };
      }
      given[parameter.in][parameter.name] = value;
    }
    return given;
  }
}
