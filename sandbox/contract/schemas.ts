import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { InvalidRequest } from '../domain/failures.ts';
import { type ApiName, type Contract, readContract } from './document.ts';

/** Checks a value and says what is wrong with it, or undefined when it is as the schema says. */
export type Check = (value: unknown) => InvalidRequest | undefined;

/** A contract with its compiled schemas. */
export interface LoadedContract extends Contract {
  readonly schemas: Schemas;
}

/** Reads the contract of an API and makes its schemas ready to compile. */
export function loadContract(api: ApiName): LoadedContract {
  const contract = readContract(api);
  return { ...contract, schemas: new Schemas(contract) };
}

/** Keywords of OpenAPI and our own that say nothing about validity: those of schemas, and those of the document around them. */
const annotations = ['x-basis', 'example', 'xml', 'externalDocs'];
const documentKeywords = 'openapi info jsonSchemaDialect servers tags security paths webhooks components'.split(' ');

/** The compiled schemas of one contract, each compiled once however many operations share it. */
export class Schemas {
  readonly #ajv = new Ajv2020({ strict: true, strictRequired: false, verbose: true, validateSchema: false });
  readonly #checks = new Map<string, Check>();
  readonly #api: string;

  constructor(contract: Contract) {
    this.#api = contract.api;
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary([...annotations, ...documentKeywords]);
    this.#ajv.addSchema(contract.bundle, contract.api);
  }

  /** The check for the schema at a JSON pointer of the bundle. Throws when the schema does not compile. */
  check(pointer: string): Check {
    const known = this.#checks.get(pointer);
    if (known !== undefined) return known;
    const validate = this.#ajv.compile({ $ref: `${this.#api}#${encodeURI(pointer)}` });
    const check: Check = (value) => (validate(value) ? undefined : describe(validate));
    this.#checks.set(pointer, check);
    return check;
  }
}

/** The first thing that is wrong, in words that say what to do. */
function describe(validate: ValidateFunction): InvalidRequest {
  const errors = validate.errors ?? [];
  const error = errors.find(({ keyword }) => !['oneOf', 'anyOf', 'allOf', 'if'].includes(keyword)) ?? errors[0];
  if (error === undefined) return { where: '', problem: 'is not valid' };
  return { where: place(error), problem: problem(error) };
}

function place(error: ErrorObject): string {
  if (error.keyword === 'required') return `${error.instancePath}/${error.params.missingProperty}`;
  if (error.keyword === 'additionalProperties') return `${error.instancePath}/${error.params.additionalProperty}`;
  if (error.keyword === 'unevaluatedProperties') return `${error.instancePath}/${error.params.unevaluatedProperty}`;
  return error.instancePath;
}

function problem(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not part of the contract';
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'enum':
      return `must be one of ${error.params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`;
    case 'pattern': {
      const { description } = error.parentSchema as { description?: string };
      return `must match ${error.params.pattern}${description === undefined ? '' : ` (${description})`}`;
    }
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`;
    default:
      return error.message ?? 'is not valid';
  }
}
