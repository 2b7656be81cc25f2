/** Texts about invalid requests: suggestions for unknown names and paths (OP-246), and violated rules (OP-277). */
import type { ErrorObject } from 'ajv/dist/2020.js';

/** Maximum length for which a suggestion is computed, in characters. It bounds the cost of a mistake. */
const longest = 200;
/** Maximum number of known names that a message lists. */
const fewNames = 8;

/** Describes an unknown name. The text suggests the nearest known name, or lists all known names if they are few. */
export function unknownName(name: string, known: readonly string[], what: 'field' | 'parameter'): string {
  const near = nearest(name, known);
  if (near !== undefined) return `is unknown, did you mean \`${near}\`?`;
  const isListed = known.length > 0 && known.length <= fewNames;
  return `is an unknown ${what}${isListed ? `; known: ${known.map((each) => `\`${each}\``).join(', ')}` : ''}`;
}

/** Returns the known name with the smallest edit distance, ignoring case. One edit per three characters is allowed, at most two. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined;
  const sought = name.toLowerCase();
  const most = Math.min(2, Math.max(1, Math.floor(name.length / 3)));
  for (let edits = 0; edits <= most; edits += 1) {
    const found = known.find((each) => isWithin(sought, each.toLowerCase(), edits));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether two strings differ by at most `edits` insertions, deletions, replacements or swaps of adjacent characters. */
function isWithin(one: string, other: string, edits: number): boolean {
  if (Math.abs(one.length - other.length) > edits) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  if (left === right) return true;
  if (edits === 0) return false;
  const isSwap = left.length > 1 && left[0] === right[1] && left[1] === right[0];
  return (
    isWithin(left.slice(1), right.slice(1), edits - 1) ||
    isWithin(left.slice(1), right, edits - 1) ||
    isWithin(left, right.slice(1), edits - 1) ||
    (isSwap && isWithin(left.slice(2), right.slice(2), edits - 1))
  );
}

/** The paths served below a prefix. */
interface ServedPaths {
  readonly prefix: string;
  /** Whether the API is part of the interface between platform and client. */
  readonly ofInterface: boolean;
  readonly operations: readonly { readonly operation: { readonly path: string } }[];
}

/**
 * Returns a header that suggests the documented path nearest to an unknown one, or no header. Differences in case, version,
 * trailing slash and prefix are tolerated, as are a few typos. The suggestion contains only text from the contract.
 */
export function pathHint(path: string, mounts: readonly ServedPaths[]): Readonly<Record<string, string>> {
  if (path.length > longest) return {};
  const prefix = mounts.find((mount) => mount.prefix !== '' && path.startsWith(`${mount.prefix}/`))?.prefix ?? '';
  // Below another API's prefix, the caller may have meant an operation of the interface.
  const ofInterface = () => mounts.filter(({ ofInterface }) => ofInterface);
  const near = nearestPath(path, mounts) ?? (prefix && nearestPath(path.slice(prefix.length), ofInterface()));
  return near ? { 'X-Problem': `did you mean ${near}` } : {};
}

function nearestPath(path: string, mounts: readonly ServedPaths[]): string | undefined {
  const sought = unversioned(path);
  const segments = sought.split('/');
  const paths = new Map<string, string>();
  for (const { prefix, operations } of mounts) {
    for (const { operation } of operations) {
      for (const spelling of [prefix + operation.path, operation.path]) {
        // Skip a leading parameter, which is near to everything, and the root, which is near to every short path.
        if (spelling === '/' || spelling.startsWith('/{')) continue;
        const filled = unversioned(spelling).split('/');
        const key = filled.map((each, at) => (each.startsWith('{') ? (segments[at] ?? each) : each)).join('/');
        if (!paths.has(key)) paths.set(key, prefix + operation.path);
      }
    }
  }
  const found = nearest(sought, [...paths.keys()]);
  return found === undefined ? undefined : paths.get(found);
}

/** Removes the first version segment and the trailing slash from a path. */
function unversioned(path: string): string {
  return path.replace(/\/v\d+(?=\/|$)/i, '').replace(/\/$/, '');
}

/** Describes a violated rule as a predicate for a field name, such as `must be a string` or `is required`. */
export function ruleText(error: ErrorObject): string {
  return ruleTexts[error.keyword]?.(error) ?? error.message ?? 'is not valid';
}

const ruleTexts: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: () => 'is required',
  additionalProperties: ({ params, parentSchema }) =>
    unknownName(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}), 'field'),
  unevaluatedProperties: ({ params }) => unknownName(params.unevaluatedProperty, [], 'field'),
  type: ({ params }) => `must be ${[params.type].flat().map(nounOf).join(' or ')}`,
  const: ({ params }) => `must be ${JSON.stringify(params.allowedValue)}`,
  enum: ({ params }) =>
    `must be one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`,
  pattern({ params, parentSchema }) {
    const { description } = parentSchema as { description?: string };
    return `must match ${params.pattern}${description === undefined ? '' : ` (${description})`}`;
  },
  format: ({ params }) => `must be ${formats[params.format] ?? `in the format ${params.format}`}`,
  minimum: ({ params }) => `must be at least ${numberText(params.limit)}`,
  maximum: ({ params }) => `must be at most ${numberText(params.limit)}`,
  minLength: ({ params: { limit } }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ params }) => `must have at most ${counted(params.limit, 'character')}`,
  minItems: ({ params }) => `must have at least ${counted(params.limit, 'item')}`,
  maxItems: ({ params }) => `must have at most ${counted(params.limit, 'item')}`,
  minProperties: ({ params }) => `must have at least ${counted(params.limit, 'field')}`,
  maxProperties: ({ params }) => `must have at most ${counted(params.limit, 'field')}`,
  uniqueItems: () => 'must not have the same item twice',
};

/** JSON Schema types whose article is `an`. */
const nouns: Readonly<Record<string, string>> = { array: 'an array', integer: 'an integer', object: 'an object' };

function nounOf(type: string): string {
  return nouns[type] ?? (type === 'null' ? type : `a ${type}`);
}

/** Readable descriptions of the formats that the contracts use. */
const formats: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  'date-time': 'a date and time such as 2026-01-31T09:30:00Z',
  uri: 'a URL such as https://example.com/path',
};

function numberText(number: number): string {
  return number.toLocaleString('en');
}

function counted(number: number, noun: string): string {
  return `${numberText(number)} ${noun}${number === 1 ? '' : 's'}`;
}
