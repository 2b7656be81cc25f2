import { isBlank } from '../activity-log/masking.ts';
import { depthLimit, formFields, type RefusedBody } from '../contract/body.ts';
import type { Issue } from '../contract/schemas.ts';
import { type Content, contentOf, excessOf, type Json, mediaType } from './decoding.ts';
import { header, type Message } from './exchange.ts';
import { cut, displayValue, type Flaw } from './finding.ts';
import type { BodyRule, RuledOperation } from './ruled-operation.ts';

/** A body after the checks that precede schema validation. `value` is present if the body can be validated. */
interface LookedAt {
  readonly flaws: readonly Flaw[];
  readonly type?: string;
  readonly value?: unknown;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** Checks a body against the media types of the contract and parses it. */
export function lookAt(message: Message, rule: BodyRule): LookedAt {
  const content = contentOf(message);
  if (content.kind === 'unknown') return unknown(message, rule);
  const documented = rule.types.join(' or ');
  if (content.kind === 'none') {
    if (!rule.required || rule.types.length === 0) return { flaws: [] };
    if (message.body.kind === 'value' && !rule.types.includes(json)) return { flaws: [] };
    return flaw('body.missing', '/body', `a body of ${documented}`, 'nothing', rule.where);
  }
  if (rule.types.length === 0) return flaw('body.undocumented', '/body', 'no body', size(content), rule.where);
  const type = message.headers === undefined ? (rule.types[0] ?? json) : mediaType(message.headers);
  if (!rule.types.includes(type)) return mislabelled(message, content, rule);
  if (type === 'text/event-stream') return { flaws: [], type };
  if (content.kind !== 'closed') return read(content, type, rule);
  const { why, broken } = content;
  if (broken) return flaw('body.undecodable', '/body', 'a body in the encoding named in its headers', why, rule.where);
  return unchecked(why, type, rule);
}

/** Reports an undocumented media type. If the contract documents JSON, the body is still parsed for validation. */
function mislabelled(message: Message, content: Content, rule: BodyRule): LookedAt {
  const { types, where } = rule;
  const given = displayValue('', header(message.headers, 'content-type'));
  const wrong = made('media-type.undocumented', '/headers/content-type', types.join(' or '), given, `${where}/content`);
  if (!types.includes(json)) return { flaws: [wrong] };
  const { flaws, ...looked } =
    content.kind === 'text' || content.kind === 'value' ? read(content, json, rule) : { flaws: [] };
  return { ...looked, flaws: [wrong, ...flaws] };
}

/** Checks only the media type, because the body was not captured. */
function unknown(message: Message, rule: BodyRule): LookedAt {
  const type = mediaType(message.headers);
  if (type === '' || rule.types.length === 0) return { flaws: [] };
  return rule.types.includes(type) ? { flaws: [], type } : mislabelled(message, { kind: 'unknown' }, rule);
}

/** Reports a body that is not checked, so that it does not count as valid. */
function unchecked(why: string, type: string, { types, where }: BodyRule): LookedAt {
  return { flaws: [made('body.unchecked', '/body', types.join(' or '), cut(why), where)], type };
}

/** Parses a body within the limits on size and depth. */
function read(content: Readable, type: string, rule: BodyRule): LookedAt {
  const said = parsed(content, type);
  // The report does not quote the body, because masking needs field names.
  if (said === undefined) return { flaws: [malformed(size(content), rule)] };
  const { excess } = said;
  if (excess?.kind === 'large') return unchecked(excess.why, type, rule);
  if (excess?.kind === 'deep') return { flaws: [tooDeep(rule)] };
  return { flaws: [], type, value: said.value };
}

function malformed(body: string, { where }: BodyRule): Flaw {
  return made('body.malformed', '/body', 'JSON', `${body} that is not JSON`, where);
}

function tooDeep({ where }: BodyRule): Flaw {
  return made('body.too-deep', '/body', `JSON nested at most ${depthLimit} levels deep`, 'JSON nested deeper', where);
}

type Readable = Content & { readonly kind: 'text' | 'value' };

/** Parses a body as its media type. Returns `undefined` if it is malformed. */
function parsed(content: Readable, type: string): Json | undefined {
  if (content.kind === 'text' && type === json) return content.json();
  const value = content.kind === 'value' ? content.value : type === form ? formFields(content.text) : content.text;
  return { value, excess: excessOf(value) };
}

/** Validates a body against a schema of the contract. */
export function bodyFlaws({ contract }: RuledOperation, schema: string, value: unknown): Flaw[] {
  return issueFlaws(contract.schemas.check(schema)(value) ?? []);
}

/** Converts the schema issues of a body to flaws. */
export function issueFlaws(issues: readonly Issue[]): Flaw[] {
  return issues.map(({ keyword, where, problem, value, schema: rule }) => ({
    ...made(`body.${keyword}`, `/body${where}`, problem, displayValue(where, value), rule),
    blank: isBlank(value),
  }));
}

/** Returns the flaws that explain why a served call's body could not be read. */
export function refusedBodyFlaws(message: Message, rule: BodyRule, { raw, problem }: RefusedBody): readonly Flaw[] {
  if (raw === undefined || raw.length === 0) return lookAt(message, rule).flaws;
  if (problem === 'too_deep') return [tooDeep(rule)];
  if (problem !== 'malformed') return [];
  return [malformed(`a body of ${raw.toString().length} characters`, rule)];
}

function size(content: Content): string {
  if (content.kind === 'text') return `a body of ${content.text.length} characters`;
  if (content.kind === 'value') return `a body of ${JSON.stringify(content.value).length} characters`;
  return content.kind === 'closed' ? `a body; ${content.why}` : 'a body';
}

function flaw(...[code, pointer, expected, actual, rule]: Parameters<typeof made>): LookedAt {
  return { flaws: [made(code, pointer, expected, actual, rule)] };
}

/** Creates a flaw. */
export function made(code: Flaw['code'], pointer: string, expected: string, actual: string, rule: string): Flaw {
  return { code, pointer, expected, actual, rule };
}

/** Runs a check. If the check throws, returns a notice instead so that the other checks continue. */
export function runCheck({ pointer }: Pick<RuledOperation, 'pointer'>, check: () => readonly Flaw[]): readonly Flaw[] {
  try {
    return check();
  } catch (error) {
    const why = `internal error in the check: ${(error as Error).message}`;
    return [made('body.unchecked', '/body', 'a message that can be checked', cut(why), pointer)];
  }
}
