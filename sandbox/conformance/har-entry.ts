/** Fields and bodies of HAR entries. A capture may contain a body completely and without its content coding, in part, or not at all. */
import { type Body, type HeaderList, header } from './exchange.ts';

/** The functions below read untrusted input. */

/** Returns the fields of an object, or no fields for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * Converts a string, a number or a boolean to text. Returns `undefined` for any other value. A list may be too deep to convert, and
 * an object may define its own conversion.
 */
export function wordOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Returns a string, or `undefined` for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const uncaptured: Body = { kind: 'uncaptured' };
const form = 'application/x-www-form-urlencoded';

/** Returns the body of a captured request, or `undefined` if it is not in HAR form. */
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

/** Returns the body of a captured reply, or `undefined` if it is not in HAR form. */
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
  // `bodySize` is the encoded size. Only whether it is 0 matters.
  const size = sizeOf(fieldsOf(content).size) ?? (sizeOf(bodySize) === 0 ? 0 : undefined);
  return none ? bytes('') : bodyOf(content, size, headers);
}

/** A body for a HAR entry. `undefined` means that it was not recorded. */
type HarBody = { readonly text: string } | undefined;

/** Returns the fields of a HAR request for a body. */
export function harPostData(body: HarBody): object {
  if (body === undefined) return { bodySize: -1 };
  return body.text === '' ? { bodySize: 0 } : { postData: body };
}

/** Returns the content of a HAR response for a body. */
export function harContent(body: HarBody): object {
  return { ...body, ...(body?.text === '' && { size: 0 }) };
}

/** Returns a recorded body. Without content, the body counts as not captured unless its size is 0. */
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

/**
 * Returns whether the end of a body is missing. Some tools record only the beginning of a large body. Masked bodies are shorter but
 * complete.
 */
function isCut(recorded: Buffer, size: number | undefined, type: unknown): boolean {
  if (size === undefined || recorded.length >= size || !/\bjson\b/i.test(textOf(type) ?? '')) return false;
  try {
    JSON.parse(recorded.toString('utf8'));
    return false;
  } catch {
    return true;
  }
}

/** Returns a number of bytes, or `undefined` if the number is unknown. For an unknown number, tools write -1 or nothing. */
function sizeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

/** Encodes form fields as they were sent. */
function formText(fields: readonly Readonly<Record<string, unknown>>[]): string {
  return new URLSearchParams(fields.map(({ name, value }) => [wordOf(name) ?? '', wordOf(value) ?? ''])).toString();
}

function bytes(text: string, encoding: 'base64' | 'utf8' = 'utf8') {
  return { kind: 'bytes', bytes: Buffer.from(text, encoding), plain: true } as const;
}
