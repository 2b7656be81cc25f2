import type { HeaderList, LoggedHeaders } from './activity-entry.ts';

/** Masks bodies, URLs and headers for the activity log. The log shows the subjects of a call, but no credentials. */

/**
 * Matches the names of fields that are fully masked, case-insensitively. `text` is included because a message can
 * contain a code (OP-168).
 */
export const secret =
  /^(secret|(access_|admin_|client_|gateway_|service_)?token|client_basic|company_secret|otp|password|pin|jwt|authorization|voucherCode|text)$/i;
/** Matches the names of fields whose last four characters remain readable. */
export const personal = /^(pan|mobileNo|mobile_no|mobile|to)$/i;

/** `{"` in base64url, the start of every JSON Web Token. */
const tokenStart = 'eyJ';

/** Maximum nesting depth in the log. The depth of a reply depends on the server. */
const deepest = 32;

/**
 * Returns a masked copy that is safe to store. Each secret is replaced by its type and length, and a JSON Web Token in
 * any string by `***`. A number that JSON cannot represent becomes its name, and values below the maximum depth become
 * `too deep`.
 */
export function mask(value: unknown): unknown {
  return maskField('', value, 1);
}

/** Masks the value of a field. The name is empty for values without one, such as list items. */
function maskField(name: string, value: unknown, depth: number): unknown {
  if (value === '' || value === null) return value;
  if (secret.test(name)) return hidden(value);
  if (personal.test(name)) return hidden(value, true);
  if (typeof value === 'string') return value.includes(tokenStart) ? maskTokens(value) : value;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object') return value;
  if (depth > deepest) return 'too deep';
  if (Array.isArray(value)) return value.map((item) => maskField('', item, depth + 1));
  const fields = Object.entries(value);
  for (const field of fields) {
    // Most fields are strings and numbers that need no masking.
    const [name, part] = field;
    const isPlain = typeof part === 'string' ? !part.includes(tokenStart) : part === null || Number.isFinite(part);
    if (!isPlain || secret.test(name) || personal.test(name)) field[1] = maskField(name, part, depth + 1);
  }
  // An assignment to the name `__proto__` would set the prototype.
  return Object.fromEntries(fields);
}

/** Returns the placeholder of a masked value: its type, its length, and its last characters if `ending` is true. */
function hidden(value: unknown, ending = false): string {
  if (typeof value === 'string') {
    return `string of ${[...value].length} (masked${ending ? `, ends in ${value.slice(-4)}` : ''})`;
  }
  if (Array.isArray(value)) return `array of ${value.length} (masked)`;
  return `${value === null ? 'null' : typeof value} (masked)`;
}

/** Returns whether a field of this name is masked. */
function isHidden(name: string): boolean {
  return secret.test(name) || personal.test(name);
}

/**
 * Returns whether a value is a placeholder for a masked value: asterisks, asterisks with the last characters, or the
 * placeholder of the activity log.
 */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\*+$|\*{3}|\w+(?: of \d+)? \(masked)/.test(value);
}

/** Returns whether a JSON pointer into a body refers to a masked field or to a part of one. */
function isHiddenAt(pointer: string): boolean {
  return pointer.split('/').some(isHidden);
}

/** Returns the masked value for a JSON pointer into a body. */
export function maskAt(pointer: string, value: unknown): unknown {
  const names = pointer.split('/').slice(1);
  if (names.slice(0, -1).some(isHidden)) return hidden(value);
  return maskField(names.at(-1) ?? '', value, 1);
}

/** Returns the masked value for a JSON pointer as text: JSON, or the placeholder of a masked value. */
export function maskedText(pointer: string, value: unknown): string {
  const masked = maskAt(pointer, value);
  return isHiddenAt(pointer) && typeof masked === 'string' && masked !== '' ? masked : JSON.stringify(masked);
}

/** Matches the names of secret parameters, with any prefix. */
export const secretParameter = /(token|secret|otp|password|pin|jwt|authorization|session|client_basic)$/i;
/** Matches the names of parameters for keys and signatures. Headers are masked by rules of their own. */
const keyParameter = /((api|access|private|signing)_?key|signature)$/i;
/** Matches secrets that the sandbox creates, in any part of a URL. */
const ownSecret = /(at|gt|sk|st)_sandbox_\w+/g;
/** Matches a secret parameter inside the name or the value of another parameter. */
const secretAssignment =
  /(token|secret|otp|password|pin|jwt|authorization|session|client_basic|(api|access|private|signing)[-_]?key|signature)\W*=/i;

/**
 * A quick test for URLs with content to mask. It matches user names, encodings, sessions, tokens, secrets of the
 * sandbox, and the names of masked fields anywhere.
 */
const hiding =
  /[%+@\\;#]|\/s\/|eyJ|token|secret|otp|password|pin|jwt|authorization|session|client_basic|key|signature|_sandbox_|pan|mobile|\bto\b|text|vouchercode/i;

/**
 * Masks secret parameters, JSON Web Tokens and the session in a page's path, whatever their encoding. The time is
 * linear in the length of the URL.
 */
export function maskUrl(url: string): string {
  if (!hiding.test(url)) return url;
  const [path = ''] = url.split(/[?#]/, 1);
  const withoutUser = path.replace(/^(https?:\/\/)[^/]*@/i, '$1***@');
  return maskParameters(maskPath(withoutUser) + url.slice(path.length));
}

const pageName = /^(portal|microsite)\b/i;

function maskPath(path: string): string {
  const plain = decoded(path).replaceAll('\\', '/');
  const masked = maskTokens(maskSessions(plain));
  return masked === plain ? path : masked;
}

/** Masks each segment after `/s/` in the path of a page, ignoring empty and dot segments in between. */
function maskSessions(path: string): string {
  let isPage = false;
  let isSession = false;
  const segments = path.split('/').map((segment) => {
    const isMasked = isSession && !/^\.*$/.test(segment);
    if (isMasked) isSession = false;
    if (isPage && segment.toLowerCase() === 's') isSession = true;
    isPage ||= pageName.test(segment);
    return isMasked ? '***' : segment;
  });
  return segments.join('/');
}

/** Returns whether a string contains the path of a page with a session. */
function hasSession(text: string): boolean {
  const page = text.search(/\/(portal|microsite)\b/i);
  return page >= 0 && /\/s\//i.test(text.slice(page));
}

/** Masks the sandbox's own secrets and JSON Web Tokens, including truncated ones. */
function maskTokens(sent: string): string {
  const text = sent.replaceAll(ownSecret, '***');
  if (!text.includes(tokenStart)) return text;
  return text.replaceAll(/[\w.-]+/g, (run) => {
    const start = run.indexOf(tokenStart);
    return start >= 0 && run.includes('.', start) ? `${run.slice(0, start)}***` : run;
  });
}

function maskParameters(url: string): string {
  return url.replaceAll(/([?#&;])([^=?#&;]*)(?:=([^#&;]*))?/g, (sent, mark: string, name: string, value?: string) => {
    if (hasSecret(decoded(name))) return `${mark}***`;
    if (value === undefined) return sent;
    const plain = decoded(name).replaceAll(/\W/g, '');
    if (personal.test(plain) && value !== '') return `${mark}${name}=***${decoded(value).slice(-4)}`;
    const isMasked =
      secret.test(plain) || secretParameter.test(plain) || keyParameter.test(plain) || hasSecret(decoded(value));
    return isMasked ? `${mark}${name}=***` : sent;
  });
}

/** Returns whether a string, such as the name or the value of a parameter, contains a secret. */
function hasSecret(text: string): boolean {
  return secretAssignment.test(text) || hasSession(text) || maskTokens(text) !== text;
}

/** Maximum number of nested percent-encodings to decode. */
const mostEncodings = 8;

/** Removes percent-encoding from a string, even if it was encoded several times. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < mostEncodings && /[%+]/.test(plain); round += 1) {
    plain = plain
      .replaceAll('+', ' ')
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return plain;
}

/** Returns the customer and the redemptions of a call, from its URL, body and reply. */
export function readSubjects(url: string, request: unknown, reply: unknown) {
  const start = url.indexOf('?');
  const query = start < 0 ? undefined : new URLSearchParams(url.slice(start));
  const parts: Record<string, unknown>[] = [];
  const lines: unknown[] = [];
  let uid = query?.get('uid') ?? query?.get('customer_id') ?? null;
  for (const body of [request, reply]) {
    if (!isObject(body)) continue;
    parts.push(body);
    if (Array.isArray(body.lines)) lines.push(...body.lines);
    if (typeof body.uid === 'string') uid ??= body.uid;
    if (typeof body.customer_id === 'string') uid ??= body.customer_id;
  }
  for (const line of lines) if (isObject(line)) parts.push(line);
  const codes = new Set<string>();
  const named = query?.get('redeem_code');
  if (typeof named === 'string') codes.add(named);
  for (const { redeemCode, redeem_code } of parts) {
    if (typeof redeemCode === 'string') codes.add(redeemCode);
    if (typeof redeem_code === 'string') codes.add(redeem_code);
  }
  return { uid, redeem_codes: [...codes] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * The limits for the logged headers of a message: number of headers, total characters, and characters of one name and
 * one value.
 */
export const headerLimits = { count: 40, characters: 2048, name: 64, value: 200 } as const;

/** Matches the names of credentials, in addition to those of fields and parameters. */
const credential =
  /(^|[-_])(token|secret|otp|password|pin|jwt|session|auth|cert)([-_]|$)|cookie|(api|access|private|signing)[-_]?key|own-call/;

/** Headers of the connection, and the real time, which is not sandbox time. They differ between otherwise equal calls. */
const ofConnection = new Set(['connection', 'keep-alive', 'date']);

/** A quick test for values that may contain a secret. It covers everything that `maskUrl` and `hasSecret` search for. */
const suspect =
  /token|secret|otp|password|pin|jwt|authorization|session|[/\\]s[/\\]|eyJ|_sandbox_|key|signature|[%@?#&;]/i;
const address = /^(\/|https?:\/\/)/i;

/** Matches the scheme of a credential, which is logged because servers often get it wrong. */
const scheme = /^(basic|bearer|digest) +(?=\S)/i;

/**
 * Returns headers that are safe to store, in time linear in the stored size. Values are truncated before they are
 * masked, so the removed part costs nothing.
 */
export function loggedHeaders(sent: HeaderList): LoggedHeaders {
  const logged: Record<string, string> = {};
  let characters = 0;
  let count = 0;
  for (const [at, [sentName, value]] of sent.entries()) {
    const whole = sentName.toLowerCase();
    if (ofConnection.has(whole)) continue;
    const name = whole.length <= headerLimits.name ? whole : marked(whole.slice(0, headerLimits.name), whole.length);
    const masked = maskValue(whole, value);
    characters += name.length + masked.length;
    if (count >= headerLimits.count || characters > headerLimits.characters) {
      logged['…'] = `${sent.length - at} more`;
      break;
    }
    count += 1;
    // An assignment to this name would set the prototype.
    if (name === '__proto__') continue;
    const earlier = logged[name];
    logged[name] = typeof earlier === 'string' ? `${earlier}, ${masked}` : masked;
  }
  return logged;
}

function maskValue(name: string, value: string): string {
  if (value === '') return value;
  if (credential.test(name) || secret.test(name) || secretParameter.test(name)) return maskCredential(value);
  if (personal.test(name)) return hidden(value, true);
  const start = value.slice(0, headerLimits.value);
  const masked = suspect.test(start) ? maskText(start) : start;
  return start.length < value.length ? marked(masked, value.length) : masked;
}

function maskText(text: string): string {
  if (address.test(text)) return maskUrl(text);
  return hasSecret(text) ? hidden(text) : text;
}

function maskCredential(value: string): string {
  const [named = ''] = scheme.exec(value) ?? [];
  // Each character of a header is one byte.
  return `${named}string of ${value.length - named.length} (masked)`;
}

/** The suffix of a truncated text. No callable URL contains it. */
export const cutMark = '… (';

/** Marks a truncated text with its original length. */
export function marked(text: string, length: number): string {
  return `${text}${cutMark}${length} characters)`;
}
