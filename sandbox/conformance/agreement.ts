import { at, escapePointer, type Node } from '../contract/document.ts';

/**
 * About which of the values that a schema takes Prism, which has the same schema, cannot be of another opinion: Ajv
 * compiles it there too, of the same draft. It differs in what Prism does before: it resolves references, merges
 * `allOf`, and brings older formats.
 */
export type Agreement = 'all' | 'but leap seconds' | 'none';

/** Keywords that say nothing about validity, to either. */
const annotations = /^(?:title|description|examples?|default|\$comment|x-.+)$/;
/** Keywords that say the same to both, with schemas below them or without. */
const plainKeywords = new Set(
  `type enum const pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf required
  minItems maxItems uniqueItems minProperties maxProperties`.split(/\s+/),
);
const ofOneSchema = new Set(['items', 'additionalProperties']);
const ofManySchemas = new Set(['properties', 'oneOf', 'anyOf', 'allOf']);
/** Formats that are defined alike. Of a `date-time` Prism takes more, but not every leap second. */
const formats = new Set(['int64', 'password', 'uri']);

/** What stands in a schema and everything below it. */
interface Contents {
  /** Something that may not mean the same to both. */
  unknown: boolean;
  merged: boolean;
  closed: boolean;
  timed: boolean;
  /** A choice in which what Prism takes beyond could be one branch too many. */
  chosen: boolean;
}

const known = new WeakMap<Node, Map<string, Agreement>>();

/** How far Prism agrees with the schema at a JSON pointer of a bundle. */
export function agreementOn(bundle: Node, pointer: string): Agreement {
  const ofBundle = known.get(bundle) ?? new Map<string, Agreement>();
  known.set(bundle, ofBundle);
  const before = ofBundle.get(pointer);
  if (before !== undefined) return before;
  const found: Contents = { unknown: false, merged: false, closed: false, timed: false, chosen: false };
  look(bundle, pointer, found, new Set());
  // What is closed around a part is another thing once the parts are one.
  const none = found.unknown || (found.merged && found.closed) || (found.timed && found.chosen);
  const agreement = none ? 'none' : found.timed ? 'but leap seconds' : 'all';
  ofBundle.set(pointer, agreement);
  return agreement;
}

function look(bundle: Node, pointer: string, found: Contents, seen: Set<string>): void {
  if (seen.has(pointer)) return;
  seen.add(pointer);
  const schema = at(bundle, pointer);
  if (typeof schema === 'boolean') return;
  if (schema === null || typeof schema !== 'object') found.unknown = true;
  else {
    for (const keyword of Object.keys(schema)) {
      for (const below of lookAt(schema as Node, keyword, found))
        look(bundle, below.startsWith('#') ? below.slice(1) : pointer + below, found, seen);
    }
  }
}

/** Notes a keyword of a schema. Returns where schemas are that belong to it: below it, or, with a `#`, in the bundle. */
function lookAt(schema: Node, keyword: string, found: Contents): readonly string[] {
  const value = schema[keyword];
  if (annotations.test(keyword) || plainKeywords.has(keyword)) return [];
  if (keyword === 'format') {
    if (value === 'date-time') found.timed = true;
    else if (!formats.has(String(value))) found.unknown = true;
    return [];
  }
  if (keyword === '$ref') {
    // A rule beside it takes the place of the same rule behind it for Prism, and adds to it for us.
    found.unknown ||= Object.keys(schema).some((other) => other !== '$ref' && !annotations.test(other));
    return [String(value)];
  }
  if (keyword === 'additionalProperties') found.closed = true;
  if (keyword === 'allOf') found.merged = true;
  if (keyword === 'oneOf') found.chosen = true;
  if (ofOneSchema.has(keyword)) return [`/${keyword}`];
  if (ofManySchemas.has(keyword))
    return Object.keys(value as object).map((name) => `/${keyword}/${escapePointer(name)}`);
  found.unknown = true;
  return [];
}
