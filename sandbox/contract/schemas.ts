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
import { ruleText } from './rule-texts.ts';

/**
 * One of the places where a value is not as its schema says, and what is there; undefined when nothing is. `keyword` is
 * the rule that it breaks, `schema` the rule's JSON pointer in the bundle.
 */
export interface Issue extends InvalidRequest {
  readonly value: unknown;
  readonly keyword: string;
  readonly schema: string;
}

/** Most issues of one value, and findings of one message: the first of them show what to change, and each costs time. */
export const mostIssues = 20;

/** What is wrong with a value: at least one issue, and at most as many as that. */
export type Issues = readonly [Issue, ...Issue[]];

/**
 * Validates a value. Returns one issue for a place, and of a union that nothing fits only what is wrong with the branch
 * that comes closest; undefined if the value is valid.
 */
export type Check = (value: unknown) => Issues | undefined;

/** A contract with its compiled schemas. */
export interface LoadedContract extends Contract {
  readonly schemas: Schemas;
}

/** Reads the contract of an API and makes its schemas ready to compile. */
export function loadContract(api: string, edition: Edition = 'sandbox'): LoadedContract {
  const cached = loaded[edition].get(api);
  if (cached !== undefined) return cached;
  const contract = readContract(api, edition);
  const made = { ...contract, schemas: new Schemas(contract) };
  loaded[edition].set(api, made);
  return made;
}

/** Compiles every schema that calls are checked by. Throws at the first that does not compile, naming its operation. */
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

/** Contracts do not change while the process lives; each is read, and its schemas compiled, once. */
const loaded: Readonly<Record<Edition, Map<string, LoadedContract>>> = { sandbox: new Map(), interface: new Map() };

/**
 * Keywords of OpenAPI and our own that say nothing about validity: those of schemas, and those of the document around
 * them.
 */
const annotations = ['example', 'xml', 'externalDocs'];
const documentKeywords = 'openapi info jsonSchemaDialect servers tags security paths webhooks components'.split(' ');

/** What schemas say that they rest on; one that says it in another form does not compile. */
const bases: readonly KeywordDefinition[] = [
  { keyword: 'x-basis', metaSchema: { type: 'string', pattern: basisPattern } },
  {
    keyword: 'x-basis-of',
    metaSchema: { type: 'object', minProperties: 1, additionalProperties: { type: 'string', pattern: basisPattern } },
  },
];

/** The validators of one contract: one for each schema, however many operations share it. */
export class Schemas {
  /** Made when it is first needed. */
  #ajv: Ajv2020 | undefined;
  /** By the schema's JSON pointer in the bundle. */
  readonly #checks = new Map<string, Check>();
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #contract: Contract;
  /** Where each schema object of the bundle is; made when it is first needed. */
  #places: Map<unknown, string> | undefined;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /**
   * The check for the schema at a JSON pointer of the bundle. It is compiled when it is first used: compiling all of
   * them takes longer than everything else that a start does, and what is generated was compiled.
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

  /** The validator of the schema, compiled now. Throws when the schema does not compile. */
  compiled(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer);
    if (known !== undefined) return known;
    this.#ajv ??= compiler(this.#contract);
    const reference = `${this.#contract.api}#${encodeURI(pointer)}`;
    // Where there is no such schema, compiling a reference to it throws.
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

  /**
   * The JSON pointer, in the bundle, of the rule that an error is about. Ajv reports only the object with the rule.
   */
  #rule({ parentSchema, keyword }: ErrorObject): string {
    this.#places ??= places(this.#contract.bundle);
    return `${this.#places.get(parentSchema) ?? ''}/${keyword}`;
  }

  /** Errors with those of unions resolved. Ajv puts the errors of all branches right before the error of the union. */
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

/** The JSON pointer of every object below a value. */
function places(value: unknown, pointer = '', found = new Map<unknown, string>()): Map<unknown, string> {
  if (value === null || typeof value !== 'object') return found;
  found.set(value, pointer);
  for (const [key, child] of Object.entries(value)) places(child, `${pointer}/${escapePointer(key)}`, found);
  return found;
}

/** The branch of a union that a value comes closest to: of its type, and with the fewest errors. */
function closest(branches: readonly ErrorObject[][]): ErrorObject[] {
  const distance = (errors: readonly ErrorObject[]) =>
    errors.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === '')
      ? Number.POSITIVE_INFINITY
      : errors.length;
  return branches.toSorted((one, other) => distance(one) - distance(other))[0] ?? [];
}

const require = createRequire(import.meta.url);

function compiler(contract: Contract): Ajv2020 {
  // Loaded by the first call that is checked, since a start needs neither.
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

/** The property that an error is about if it is not the value at its path: a missing one, or one too many. */
function property({ keyword, params }: ErrorObject): string | undefined {
  if (keyword === 'required') return params.missingProperty;
  if (keyword === 'additionalProperties') return params.additionalProperty;
  return keyword === 'unevaluatedProperties' ? params.unevaluatedProperty : undefined;
}

function place(error: ErrorObject): string {
  const name = property(error);
  return name === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(name)}`;
}

/** The value at the place of an error. */
function present(error: ErrorObject): unknown {
  const name = property(error);
  return name === undefined ? error.data : (error.data as Record<string, unknown>)[name];
}

/** After this many errors in the items of one list, its later items are not validated. */
const mostErrors = 200;

/**
 * Makes a validator that collects all errors end a list early where its items have very many. Ajv copies the errors
 * found so far for each broken item of a list, so that their time would grow with the square of the number of items.
 * The count begins with the list: a list has the same errors wherever it is validated.
 */
function boundLists(ajv: Ajv2020): void {
  // Loaded with the validator: a start needs neither.
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
