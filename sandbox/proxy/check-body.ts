import type { BodyRule, CheckedOperation } from './contracts.ts';
import { type Content, contentOf, mediaType } from './decoding.ts';
import { header, type Message } from './exchange.ts';
import { cut, type Flaw, shown } from './flaw.ts';
import { isProven, type Seen, seenOf } from './proven.ts';

/** A body after the checks that come before its schema. `value` is there where it can be held against one. */
export interface LookedAt {
  readonly flaws: readonly Flaw[];
  readonly type?: string;
  readonly value?: unknown;
  /** The body, where it can be remembered as right. */
  readonly seen?: Seen | undefined;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** Holds a body against the media types of the contract and reads it. */
export function lookAt(message: Message, rule: BodyRule): LookedAt {
  const stated = header(message.headers, 'content-type');
  const seen = seenOf(message);
  if (isProven(rule, seen)) return { flaws: [], type: mediaType(stated ?? '') };
  const content = contentOf(message);
  const documented = rule.types.join(' or ');
  if (content.kind === 'none') {
    if (!rule.required || rule.types.length === 0) return { flaws: [] };
    if (message.body.kind === 'value' && !rule.types.includes(json)) return { flaws: [] };
    return flaw('body.missing', '/body', `a body of ${documented}`, 'nothing', rule.where);
  }
  if (rule.types.length === 0) return flaw('body.undocumented', '/body', 'no body', size(content), rule.where);
  const type = message.headers === undefined ? (rule.types[0] ?? json) : mediaType(stated ?? '');
  if (!rule.types.includes(type)) {
    return flaw(
      'media-type.undocumented',
      '/headers/content-type',
      documented,
      shown('', stated),
      `${rule.where}/content`,
    );
  }
  if (type === 'text/event-stream') return { flaws: [], type };
  return content.kind === 'closed' ? closed(content, type, rule) : read(content, type, rule, seen);
}

/** A body that cannot be looked into. */
function closed({ why, broken }: Content & { kind: 'closed' }, type: string, { types, where }: BodyRule): LookedAt {
  if (broken) return flaw('body.undecodable', '/body', 'a body in the coding of its headers', why, where);
  const unchecked = made('body.unchecked', '/body', types.join(' or '), cut(why), where);
  return { flaws: [{ ...unchecked, severity: 'notice' }], type };
}

/** What a body says. */
function read(
  content: Content & { kind: 'text' | 'value' },
  type: string,
  { where }: BodyRule,
  seen: Seen | undefined,
): LookedAt {
  if (content.kind === 'value') return { flaws: [], type, value: content.value };
  if (type === form) return { flaws: [], type, value: fields(content.text), seen };
  if (type !== json) return { flaws: [], type, value: content.text };
  try {
    return { flaws: [], type, value: JSON.parse(content.text), seen };
  } catch {
    // What it says is not shown: without fields there is nothing to mask by.
    return flaw('body.malformed', '/body', 'JSON', `${content.text.length} characters that are not JSON`, where);
  }
}

/** The fields of a form: text by name, an array where a name came more than once. */
function fields(text: string): Record<string, string | string[]> {
  const sent = new URLSearchParams(text);
  const values = [...new Set(sent.keys())].map((name) => [name, sent.getAll(name)] as const);
  return Object.fromEntries(
    values.map(([name, [first = '', ...more]]) => [name, more.length > 0 ? [first, ...more] : first]),
  );
}

/** Everything that is wrong with a body under a schema of the contract, in the contract's words. */
export function bodyFlaws({ contract }: CheckedOperation, schema: string, value: unknown): Flaw[] {
  return contract.schemas
    .findings(schema, value)
    .map((found) =>
      made(
        `body.${found.keyword}`,
        `/body${found.where}`,
        found.problem,
        shown(found.where, found.value),
        found.schema,
      ),
    );
}

function size(content: Content): string {
  if (content.kind === 'text') return `a body of ${content.text.length} characters`;
  return content.kind === 'closed' ? `a body; ${content.why}` : 'a body';
}

function flaw(...[code, pointer, expected, actual, rule]: Parameters<typeof made>): LookedAt {
  return { flaws: [made(code, pointer, expected, actual, rule)] };
}

/** A flaw that is an error. */
export function made(code: Flaw['code'], pointer: string, expected: string, actual: string, rule: string): Flaw {
  return { code, severity: 'error', pointer, expected, actual, rule };
}
