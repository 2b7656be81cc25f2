import { createRequire } from 'node:module';
import type {
  Ajv2020,
  CodeKeywordDefinition,
  ErrorObject,
  KeywordCxt,
  KeywordDefinition,
  ValidateFunction,
} from 'ajv/dist/2020.js';
import type { InvalidRequest } from '../domain/failures.ts';
import { basisPattern } from './basis.ts';
import { type Contract, type Edition, escapePointer, readContract } from './document.ts';
import { ruleText } from './problem-texts.ts';

/**
 * A violation of a schema. `value` is the offending value, or `undefined` if it is missing. `keyword` is the violated rule,
 * and `schema` is the JSON pointer of that rule in the bundle.
 */
export interface Issue extends InvalidRequest {
  readonly value: unknown;
  readonly keyword: string;
  readonly schema: string;
}

/** Maximum number of issues per value and of findings per message. The first issues show what to change, and each one costs time. */
export const mostIssues = 20;

/** The issues of an invalid value: at least one, and at most `mostIssues`. */
export type Issues = readonly [Issue, ...Issue[]];

/**
 * Validates a value. Returns at most one issue per location, or `undefined` if the value is valid. If no branch of a union
 * matches, only the issues of the closest branch are returned.
 */
export type Check = (value: unknown) => Issues | undefined;

/** A contract with its compiled schemas. */
export interface LoadedContract extends Contract {
  readonly schemas: Schemas;
}

/** Reads the contract of an API, or returns it from the cache. Its schemas are compiled on first use. */
export function loadContract(api: string, edition: Edition = 'sandbox'): LoadedContract {
  const cached = loaded[edition].get(api);
  if (cached !== undefined) return cached;
  const contract = readContract(api, edition);
  const made = { ...contract, schemas: new Schemas(contract) };
  loaded[edition].set(api, made);
  return made;
}

/** Compiles every schema that validates calls. Throws at the first that does not compile, and names its operation. */
export function compileSchemas(contract: Contract): void {
  const schemas = new Schemas(contract);
  for (const { operationId, parameters, body, replies } of contract.operations) {
    const used = [
      ...parameters.map(({ schema }) => schema),
      body?.schema,
      ...[...replies.values()].map(({ schema }) => schema),
    ];
    for (const pointer of used) {
      if (pointer === undefined) continue;
      try {
        schemas.compiled(pointer);
      } catch (error) {
        throw new Error(`${contract.api}: ${operationId}: the schema at ${pointer} does not compile`, { cause: error });
      }
    }
  }
}

/** Loaded contracts. They do not change at run time, so each is read only once. */
const loaded: Readonly<Record<Edition, Map<string, LoadedContract>>> = { sandbox: new Map(), interface: new Map() };

/** OpenAPI keywords that do not affect validity. The second list contains keywords of the document outside its schemas. */
const annotations = ['example', 'xml', 'externalDocs'];
const documentKeywords = 'openapi info jsonSchemaDialect servers tags security paths webhooks components'.split(' ');

/** Keywords for the basis of a schema. A schema with a malformed basis does not compile. */
const bases: readonly KeywordDefinition[] = [
  { keyword: 'x-basis', metaSchema: { type: 'string', pattern: basisPattern } },
  {
    keyword: 'x-basis-of',
    metaSchema: { type: 'object', minProperties: 1, additionalProperties: { type: 'string', pattern: basisPattern } },
  },
];

/** The validators of one contract. All operations share one validator per schema. */
export class Schemas {
  /** Created on first use. */
  #ajv: Ajv2020 | undefined;
  /** Checks by the JSON pointer of their schema in the bundle. */
  readonly #checks = new Map<string, Check>();
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #contract: Contract;
  /** JSON pointers of the schema objects in the bundle. Created on first use. */
  #places: Map<unknown, string> | undefined;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /**
   * Returns the check for the schema at a JSON pointer in the bundle. The schema is compiled on first use, because compiling
   * all schemas would dominate the start time. Their validity was already verified when the bundle was generated.
   */
  check(pointer: string): Check {
    const known = this.#checks.get(pointer);
    if (known !== undefined) return known;
    let validate: ValidateFunction | undefined;
    const check: Check = (value) => {
      validate ??= this.compiled(pointer);
      return validate(value) ? undefined : this.#issuesOf(validate.errors ?? []);
    };
    this.#checks.set(pointer, check);
    return check;
  }

  /** Compiles the schema immediately and returns its validator. Throws if the schema does not compile. */
  compiled(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer);
    if (known !== undefined) return known;
    this.#ajv ??= compiler(this.#contract);
    const reference = `${this.#contract.api}#${encodeURI(pointer)}`;
    // If the schema does not exist, compiling a reference to it throws.
    const validate = this.#ajv.getSchema(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#compiled.set(pointer, validate);
    return validate;
  }

  #issuesOf(errors: readonly ErrorObject[]): Issues {
    const found = new Map<string, Issue>();
    for (const error of this.#resolveUnions(errors)) {
      if (found.size === mostIssues) break;
      const where = place(error);
      const { keyword } = error;
      const rule = { keyword, schema: this.#rule(error), value: present(error) };
      if (!found.has(where)) found.set(where, { where, problem: ruleText(error), ...rule });
    }
    const [first = { where: '', problem: 'is not valid', value: undefined, keyword: '', schema: '' }, ...more] =
      found.values();
    return [first, ...more];
  }

  /** Returns the JSON pointer of the violated rule in the bundle. Ajv reports only the object that contains the rule. */
  #rule({ parentSchema, keyword }: ErrorObject): string {
    this.#places ??= places(this.#contract.bundle);
    return `${this.#places.get(parentSchema) ?? ''}/${keyword}`;
  }

  /** Replaces union errors by those of the closest branch. Ajv lists the errors of all branches directly before the union's. */
  #resolveUnions(errors: readonly ErrorObject[]): ErrorObject[] {
    const collected: ErrorObject[][] = [];
    for (let index = errors.length - 1; index >= 0; index -= 1) {
      const error = errors[index] as ErrorObject;
      if (unions.includes(error.keyword) && (error.params.passingSchemas ?? null) === null) {
        const branches = (error.schema as readonly unknown[]).map((_, branch) => {
          const validate = this.compiled(`${this.#rule(error)}/${branch}`);
          return validate(error.data) ? [] : [...(validate.errors ?? [])];
        });
        index -= branches.reduce((sum, { length }) => sum + length, 0);
        const within = closest(branches.map((branch) => this.#resolveUnions(branch)));
        collected.push(within.map((inner) => ({ ...inner, instancePath: error.instancePath + inner.instancePath })));
      } else if (error.keyword !== 'if') collected.push([error]);
    }
    return collected.reverse().flat();
  }
}

/** Maps a value and every object in it to its JSON pointer. */
function places(value: unknown, pointer = '', found = new Map<unknown, string>()): Map<unknown, string> {
  if (value === null || typeof value !== 'object') return found;
  found.set(value, pointer);
  for (const [key, child] of Object.entries(value)) places(child, `${pointer}/${escapePointer(key)}`, found);
  return found;
}

/** Returns the errors of the closest branch of a union: one of the value's type, with the fewest errors. */
function closest(branches: readonly ErrorObject[][]): ErrorObject[] {
  const distance = (errors: readonly ErrorObject[]) =>
    errors.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === '')
      ? Number.POSITIVE_INFINITY
      : errors.length;
  return branches.toSorted((one, other) => distance(one) - distance(other))[0] ?? [];
}

const require = createRequire(import.meta.url);

function compiler(contract: Contract): Ajv2020 {
  // Loaded for the first validated call, because a start needs neither module.
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    verbose: true,
    validateSchema: false,
    allErrors: true,
  });
  addFormats.default(ajv);
  ajv.addVocabulary([...annotations, ...documentKeywords, ...bases]);
  boundLists(ajv);
  ajv.addSchema(contract.bundle, contract.api);
  return ajv;
}

const unions = ['oneOf', 'anyOf'];

/** Returns the missing or surplus property that an error concerns, or `undefined` if it concerns the value at its path. */
function property({ keyword, params }: ErrorObject): string | undefined {
  if (keyword === 'required') return params.missingProperty;
  if (keyword === 'additionalProperties') return params.additionalProperty;
  return keyword === 'unevaluatedProperties' ? params.unevaluatedProperty : undefined;
}

function place(error: ErrorObject): string {
  const name = property(error);
  return name === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(name)}`;
}

/** Returns the value at the location of an error. */
function present(error: ErrorObject): unknown {
  const name = property(error);
  return name === undefined ? error.data : (error.data as Record<string, unknown>)[name];
}

/** Number of errors in one list after which its remaining items are not validated. */
const mostErrors = 200;

/**
 * Makes the validator skip the rest of a list after too many errors. Ajv copies all previous errors for each invalid item,
 * so the time would grow with the square of the list's length. Errors are counted per list, so that a list always produces
 * the same errors wherever it is validated.
 */
function boundLists(ajv: Ajv2020): void {
  // Loaded together with the validator, because a start needs neither.
  const { _ } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: names } = require('ajv/dist/compile/names.js') as typeof import('ajv/dist/compile/names.js');
  const { alwaysValidSchema, Type } = require('ajv/dist/compile/util.js') as typeof import('ajv/dist/compile/util.js');
  const original = ajv.getKeyword('items') as CodeKeywordDefinition;
  const code = (context: KeywordCxt) => {
    const { gen, data, it, schema, parentSchema } = context;
    if (parentSchema.prefixItems !== undefined || alwaysValidSchema(it, schema)) return original.code(context);
    it.items = true;
    const before = gen.const('before', names.errors);
    const valid = gen.name('valid');
    gen.forRange('i', 0, gen.const('length', _`${data}.length`), (index) => {
      context.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, valid);
      gen.if(_`!${valid} && ${names.errors} - ${before} > ${mostErrors}`, () => gen.break());
    });
  };
  ajv.removeKeyword('items');
  ajv.addKeyword({ ...original, code });
}
