/**
 * What the parts of a contract rest on: `stated` and the ids of statements of docs/interface.md, or the id of a row of
 * docs/register.yaml. A part says so by `x-basis`; one that does not rests on what is around it, at last on its
 * operation. Keywords of a schema that rest on something else are named by `x-basis-of`.
 */
import { at, escapePointer, follow, type Node } from './document.ts';

/** The form of a basis. */
export const basisPattern = '^(stated( [A-Z]\\d{1,2})+|OP-\\d{2,3})$';

/** How much a violation weighs: whether it breaks what the interface states, or what this sandbox assumed. */
export type Weight = 'error' | 'warning';

/** The weight of a violation of what has this basis. */
export function weightOf(basis: string): Weight {
  return isStated(basis) ? 'error' : 'warning';
}

/** Whether the interface states what has this basis. */
export function isStated(basis: string): boolean {
  return basis.startsWith('stated ');
}

/** The ids that a basis names. */
export function idsOf(basis: string): readonly string[] {
  return basis.replace(/^stated /, '').split(' ');
}

/** What a part says itself that it rests on; undefined if it says nothing. */
export function ownBasis(node: Node): string | undefined {
  return typeof node['x-basis'] === 'string' ? node['x-basis'] : undefined;
}

/** The keywords of a schema that rest on something else than the schema does, each with its basis. */
export function keywordBases(node: Node): ReadonlyMap<string, string> {
  return new Map(Object.entries((node['x-basis-of'] ?? {}) as Record<string, string>));
}

/** What a part rests on, a reference on what it leads to; `around` is the basis of the part around it. */
export function basisOf(bundle: Node, node: Node, around: string): string {
  if (typeof node.$ref !== 'string') return ownBasis(node) ?? around;
  return basisOf(bundle, at(bundle, node.$ref.slice(1)) as Node, ownBasis(node) ?? around);
}

/** Where the operations of a bundle stand, those of its webhooks included. */
export function operationsIn(bundle: Node): readonly string[] {
  return ['paths', 'webhooks'].flatMap((root) =>
    Object.entries((bundle[root] ?? {}) as Record<string, Record<string, Node>>).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => item[method]?.operationId !== undefined)
        .map((method) => `/${root}/${escapePointer(path)}/${method}`),
    ),
  );
}

/** A parameter, body, reply or header of an operation. */
export interface Part {
  readonly kind: 'parameter' | 'body' | 'reply' | 'header';
  /** Where it is described, references followed. */
  readonly pointer: string;
  readonly basis: string;
  /** The status of a reply, or of the reply of a header. */
  readonly status?: string;
  /** The schemas of its value, references not followed. */
  readonly schemas: readonly string[];
}

/** The parts of the operation at a JSON pointer, each followed by those within it. */
export function partsOf(bundle: Node, pointer: string): readonly Part[] {
  const operation = at(bundle, pointer) as Node;
  const basis = ownBasis(operation);
  if (basis === undefined) throw new Error(`${pointer} does not declare its basis`);
  const parameters = Object.keys(operation.parameters ?? {}).map((index) => `${pointer}/parameters/${index}`);
  const replies = Object.keys(operation.responses ?? {}).map((status) => `${pointer}/responses/${status}`);
  return [
    ...parameters.map((place) => part(bundle, 'parameter', place, basis)),
    ...(operation.requestBody === undefined ? [] : [part(bundle, 'body', `${pointer}/requestBody`, basis)]),
    ...replies.flatMap((place) => {
      const status = place.slice(place.lastIndexOf('/') + 1);
      const reply = { ...part(bundle, 'reply', place, basis), status };
      const { headers = {} } = at(bundle, reply.pointer) as Node;
      const places = Object.keys(headers as Node).map((name) => `${reply.pointer}/headers/${escapePointer(name)}`);
      return [reply, ...places.map((header) => ({ ...part(bundle, 'header', header, reply.basis), status }))];
    }),
  ];
}

function part(bundle: Node, kind: Part['kind'], place: string, around: string): Part {
  const pointer = follow(bundle, place);
  const node = at(bundle, pointer) as Node;
  const types = Object.keys((node.content ?? {}) as Node);
  const schemas = types.map((type) => `${pointer}/content/${escapePointer(type)}/schema`);
  if (node.schema !== undefined) schemas.push(`${pointer}/schema`);
  return { kind, pointer, basis: within(ownBasis(node) ?? around, kind === 'parameter' ? around : undefined), schemas };
}

/**
 * What something rests on within a message. What the interface states of a record or a parameter in one place is an
 * assumption in a message that it does not show.
 */
function within(basis: string, message: string | undefined): string {
  return message !== undefined && isStated(basis) && !isStated(message) ? message : basis;
}

/** A schema within another. `step` is where its value is: a field, `*` for any, or the same place as the other's. */
interface Subschema {
  readonly key: string;
  readonly step: string | undefined;
  readonly node: Node;
}

/** The schemas right within a schema. */
export function subschemas(node: Node): readonly Subschema[] {
  const found: Subschema[] = [];
  const add = (key: string, step: string | undefined, within: unknown) => {
    if (within !== null && typeof within === 'object') found.push({ key, step, node: within as Node });
  };
  for (const key of ['if', 'then', 'else', 'not']) add(key, undefined, node[key]);
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, each] of ((node[key] ?? []) as readonly unknown[]).entries())
      add(`${key}/${index}`, undefined, each);
  }
  for (const key of ['items', 'additionalProperties']) add(key, '*', node[key]);
  for (const [index, each] of ((node.prefixItems ?? []) as readonly unknown[]).entries())
    add(`prefixItems/${index}`, '*', each);
  for (const [name, field] of Object.entries((node.properties ?? {}) as Node)) {
    add(`properties/${escapePointer(name)}`, name, field);
  }
  return found;
}

/** Something that a value must be or mean, and what that rests on. */
export interface Constraint {
  /** The pointer of the rule in the bundle, its keyword last. */
  readonly rule: string;
  readonly keyword: string;
  /** The pointer of the value in the message; `*` is any item of a list, or any field. */
  readonly place: readonly string[];
  readonly basis: string;
}

/** Keywords that refuse values. */
const asserting = new Set(
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format
  maxItems minItems uniqueItems maxContains minContains contains maxProperties minProperties required dependentRequired
  additionalProperties unevaluatedProperties unevaluatedItems propertyNames oneOf anyOf not`.split(/\s+/),
);

/** Keywords that refuse fields where they are false; else they have a schema, or refuse nothing. */
const closing = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

function isAsserting(node: Node, keyword: string): boolean {
  return asserting.has(keyword) && !(closing.has(keyword) && node[keyword] !== false);
}

/**
 * Everything that the schema at a JSON pointer asks of a value; `around` is the basis of the part that it is in.
 *
 * @param also further keywords to list where they have a basis of their own, such as `description`
 */
export function constraintsOf(
  bundle: Node,
  schema: string,
  around: string,
  also: readonly string[] = [],
): readonly Constraint[] {
  const found: Constraint[] = [];
  const walk = (place: readonly string[], pointer: string, basis: string, through: readonly string[]): void => {
    const node = at(bundle, pointer) as Node;
    const rests = ownBasis(node) ?? basis;
    for (const constraint of ownConstraints(bundle, node, pointer, place, rests, also))
      found.push({ ...constraint, basis: within(constraint.basis, around) });
    for (const { key, step } of subschemas(node)) {
      walk(step === undefined ? place : [...place, step], `${pointer}/${key}`, rests, through);
    }
    const { $ref } = node;
    // A schema within itself asks the same again.
    if (typeof $ref === 'string' && !through.includes($ref)) walk(place, $ref.slice(1), rests, [...through, $ref]);
  };
  walk([], schema, around, []);
  return found;
}

/** What a schema asks by its own keywords. That a field is there rests on what the field rests on. */
function ownConstraints(
  bundle: Node,
  node: Node,
  pointer: string,
  place: readonly string[],
  basis: string,
  also: readonly string[],
): readonly Constraint[] {
  const own = keywordBases(node);
  const fields = (node.properties ?? {}) as Record<string, Node>;
  return Object.keys(node)
    .filter((keyword) => isAsserting(node, keyword) || (also.includes(keyword) && own.has(keyword)))
    .flatMap((keyword): readonly Constraint[] => {
      const rule = `${pointer}/${keyword}`;
      const rests = own.get(keyword) ?? basis;
      if (keyword !== 'required') return [{ rule, keyword, place, basis: rests }];
      return (node.required as readonly string[]).map((name) => {
        const field = fields[name];
        const stated = own.get(keyword) ?? (field === undefined ? basis : basisOf(bundle, field, basis));
        return { rule, keyword, place: [...place, name], basis: stated };
      });
    });
}
