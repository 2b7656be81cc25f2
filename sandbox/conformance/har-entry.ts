/** Fields and bodies of HAR entries. A capture has a body whole and without its content coding, in part, or not at all. */
import { type Body, type HeaderList, header } from './exchange.ts';

/** Reading what anybody may have written. */

/** The fields of a value; none if it has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * A text, a number or a truth value as text; undefined for anything else: a list may be too deep to be made a text, and an
 * object may have its own idea of one.
 */
export function wordOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** A text; undefined if it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const uncaptured: Body = { kind: 'uncaptured' };
const form = 'application/x-www-form-urlencoded';

/** The body of a captured request; undefined if it is none as a HAR has it. */
export function sentBody(request: unknown, method: string, headers: HeaderList | undefined): Body | undefined {
  const { postData, bodySize } = fieldsOf(request);
  const { text, params, mimeType } = fieldsOf(postData);
  const fields = Array.isArray(params) ? params.map(fieldsOf) : [];
  if ((text ?? '') === '' && fields.length > 0) {
    const isForm = (textOf(mimeType) ?? '').toLowerCase().startsWith(form);
    return isForm ? bytes(formText(fields)) : uncaptured;
  }
  const usual = !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method);
  const empty = sizeOf(bodySize) === undefined && (!usual || text === '');
  return bodyOf(postData, empty ? 0 : sizeOf(bodySize), headers);
}

/** The body of a captured reply; undefined if it is none as a HAR has it. */
export function receivedBody(
  response: unknown,
  method: string,
  status: number,
  headers: HeaderList | undefined,
): Body | undefined {
  const { content, bodySize } = fieldsOf(response);
  const recorded = fieldsOf(content).text ?? '';
  // A 304 can be recorded with the cached body.
  const none = method === 'HEAD' || status < 200 || status === 304 || (status === 204 && recorded === '');
  // What went over the wire is coded; of it counts only whether there was anything.
  const size = sizeOf(fieldsOf(content).size) ?? (sizeOf(bodySize) === 0 ? 0 : undefined);
  return none ? bytes('') : bodyOf(content, size, headers);
}

/**
 * A body of `size` bytes, if recorded. Without content, and without a size of 0, it counts as not captured.
 */
function bodyOf(recorded: unknown, size: number | undefined, headers: HeaderList | undefined): Body | undefined {
  const { text, encoding, mimeType } = fieldsOf(recorded);
  const content = textOf(text ?? '');
  if (content === undefined) return undefined;
  if (content === '') {
    const announced = sizeOf(Number(header(headers, 'content-length') ?? Number.NaN));
    return Math.max(size ?? announced ?? 1, announced ?? 0) === 0 ? bytes('') : uncaptured;
  }
  const body = bytes(content, encoding === 'base64' ? 'base64' : 'utf8');
  return isCut(body.bytes, size, mimeType) ? uncaptured : body;
}

/** Whether the end of a body is missing: tools record the beginning of a large one. Masked bodies are shorter, and whole. */
function isCut(recorded: Buffer, size: number | undefined, type: unknown): boolean {
  if (size === undefined || recorded.length >= size || !/\bjson\b/i.test(textOf(type) ?? '')) return false;
  try {
    JSON.parse(recorded.toString('utf8'));
    return false;
  } catch {
    return true;
  }
}

/** A number of bytes; undefined if unknown: tools write -1 or nothing then. */
function sizeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

/** Fields of a form as they were sent. */
function formText(fields: readonly Readonly<Record<string, unknown>>[]): string {
  return new URLSearchParams(fields.map(({ name, value }) => [wordOf(name) ?? '', wordOf(value) ?? ''])).toString();
}

function bytes(text: string, encoding: 'base64' | 'utf8' = 'utf8') {
  return { kind: 'bytes', bytes: Buffer.from(text, encoding), plain: true } as const;
}
