/**
 * Reads the basis of each part of a contract. A basis is `stated` with statement ids of docs/interface.md, or the id of an
 * entry in docs/register.yaml. A part declares it with `x-basis`, or inherits it from the enclosing part, up to the operation.
 * `x-basis-of` lists schema keywords with a different basis.
 */
import { at, escapePointer, follow, type Node } from './document.ts';

/** The regular expression for a basis. */
export const basisPattern = '^(stated( [A-Z]\\d{1,2})+|OP-\\d{2,3})$';

/** The severity of a violation: `error` for a statement of the interface, `warning` for an assumption of this sandbox. */
export type Weight = 'error' | 'warning';

/** Returns the weight of a violation of a rule with this basis. */
export function weightOf(basis: string): Weight {
  return isStated(basis) ? 'error' : 'warning';
}

/** Returns whether a basis is a statement of the interface. */
export function isStated(basis: string): boolean {
  return basis.startsWith('stated ');
}

/** Returns the ids in a basis. */
export function idsOf(basis: string): readonly string[] {
  return basis.replace(/^stated /, '').split(' ');
}

/** Returns the basis that a part declares itself, or `undefined` if it declares none. */
export function ownBasis(node: Node): string | undefined {
  return typeof node['x-basis'] === 'string' ? node['x-basis'] : undefined;
}

/** Returns the keywords of a schema that have a different basis from the schema, each with its basis. */
export function keywordBases(node: Node): ReadonlyMap<string, string> {
  return new Map(Object.entries((node['x-basis-of'] ?? {}) as Record<string, string>));
}

/** Returns the basis of a part, after following references. `around` is the basis of the enclosing part. */
export function basisOf(bundle: Node, node: Node, around: string): string {
  if (typeof node.$ref !== 'string') return ownBasis(node) ?? around;
  return basisOf(bundle, at(bundle, node.$ref.slice(1)) as Node, ownBasis(node) ?? around);
}

/** Returns the JSON pointers of all operations in a bundle, including its webhooks. */
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
  /** The JSON pointer of the part, after following references. */
  readonly pointer: string;
  readonly basis: string;
  /** The status of the reply, or of the reply that a header belongs to. */
  readonly status?: string;
  /** JSON pointers of the schemas of the value, without following references. */
  readonly schemas: readonly string[];
}

/** Returns the parts of the operation at a JSON pointer. Each reply is followed by its headers. */
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
 * Returns the basis of a part within a message. If the message itself is an assumption, its parts are assumptions as well,
 * even if the interface states them elsewhere.
 */
function within(basis: string, message: string | undefined): string {
  return message !== undefined && isStated(basis) && !isStated(message) ? message : basis;
}

/** A nested schema. `step` is its field name, `*` for any field or item, or `undefined` for the value of the parent. */
interface Subschema {
  readonly key: string;
  readonly step: string | undefined;
  readonly node: Node;
}

/** Returns the schemas directly nested in a schema. */
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

/** A rule for a value, and the basis of that rule. */
export interface Constraint {
  /** The JSON pointer of the rule in the bundle, ending in its keyword. */
  readonly rule: string;
  readonly keyword: string;
  /** The path of the value in the message. `*` stands for any item of a list or any field. */
  readonly place: readonly string[];
  readonly basis: string;
}

/** Keywords that can reject values. */
const asserting = new Set(
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format
  maxItems minItems uniqueItems maxContains minContains contains maxProperties minProperties required dependentRequired
  additionalProperties unevaluatedProperties unevaluatedItems propertyNames oneOf anyOf not`.split(/\s+/),
);

/** Keywords that reject fields or items only if they are `false`. */
const closing = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

function isAsserting(node: Node, keyword: string): boolean {
  return asserting.has(keyword) && !(closing.has(keyword) && node[keyword] !== false);
}

/**
 * Returns all constraints of the schema at a JSON pointer. `around` is the basis of the part that contains the schema.
 *
 * @param also further keywords to include if they have their own basis, such as `description`
 */
export function constraintsOf(bundle: Node, schema: string, around: string, also: readonly string[] = []) {
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
    // A recursive schema only repeats its constraints.
    if (typeof $ref === 'string' && !through.includes($ref)) walk(place, $ref.slice(1), rests, [...through, $ref]);
  };
  walk([], schema, around, []);
  return found;
}

/** Returns the constraints of a schema's own keywords. The constraint that a field is required has that field's basis. */
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
