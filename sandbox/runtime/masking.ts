/**
 * What the activity log shows of bodies and addresses: who and what they are about, and nothing that anybody could sign
 * in with.
 */

/** Fields that are hidden altogether, in any case of letters. The text of a message may hold a code (OP-168). */
const secret =
  /^(secret|(access_|admin_|client_|gateway_|service_)?token|company_secret|otp|password|pin|jwt|authorization|voucherCode|text)$/i;
/** Fields of which the last four characters stay readable. */
const personal = /^(pan|mobileNo|mobile_no|mobile|to)$/i;

/** Deepest nesting that is shown. Whoever replies decides how deep a value is. */
const deepest = 32;

/**
 * A copy that can be kept: secrets hidden, however deep, with their type and length told; a number without a JSON form
 * by its name, what is deeper than is shown by `too deep`.
 */
export function mask(value: unknown, depth = 1): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > deepest) return 'too deep';
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskField(name, field, depth + 1)]));
}

function maskField(name: string, field: unknown, depth: number): unknown {
  if (field === '' || field === null) return field;
  if (secret.test(name)) return hidden(field);
  if (personal.test(name)) return hidden(field, true);
  return mask(field, depth);
}

/** What is told of a value in place of it: its type, how long it is, and how it ends where that may be known. */
function hidden(value: unknown, ending = false): string {
  if (typeof value === 'string') {
    return `string of ${[...value].length} (masked${ending ? `, ends in ${value.slice(-4)}` : ''})`;
  }
  if (Array.isArray(value)) return `array of ${value.length} (masked)`;
  return `${value === null ? 'null' : typeof value} (masked)`;
}

/** Most characters and most items of what is put in place of a masked value: anybody may have written its length. */
const mostStandIn = { characters: 4096, items: 100 };

/**
 * A body that was masked, with values of the same type and length in place of those that were hidden. A string is all
 * asterisks then (`isBlank`).
 */
export function withStandIns(body: unknown, depth = 1): unknown {
  // Nothing deeper was masked.
  if (body === null || typeof body !== 'object' || depth > deepest) return body;
  if (Array.isArray(body)) return body.map((item) => withStandIns(item, depth + 1));
  return Object.fromEntries(
    Object.entries(body).map(([name, field]) => [
      name,
      isHidden(name) ? standIn(field) : withStandIns(field, depth + 1),
    ]),
  );
}

function standIn(told: unknown): unknown {
  if (typeof told !== 'string') return told;
  const [, type, length] = /^(string|array|object|number|boolean)(?: of (\d{1,9}))? \(masked/.exec(told) ?? [];
  switch (type) {
    case 'string':
      return '*'.repeat(Math.min(Number(length), mostStandIn.characters));
    case 'array':
      return new Array(Math.min(Number(length), mostStandIn.items)).fill(null);
    case 'object':
      return {};
    case 'number':
      return 0;
    case 'boolean':
      return true;
    default:
      return told;
  }
}

/** Whether a field of this name is hidden. */
function isHidden(name: string): boolean {
  return secret.test(name) || personal.test(name);
}

/** Whether nothing is left of a text but asterisks, as captures mask it, or its last characters behind them. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && /^(\*+$|\*{3})/.test(value);
}

/** Whether a JSON pointer of a body leads to a field that is hidden, or into one. */
export function isHiddenAt(pointer: string): boolean {
  return pointer.split('/').some(isHidden);
}

/** What stands at a JSON pointer of a body, as the masked body would show it. */
export function maskAt(pointer: string, value: unknown): unknown {
  const names = pointer.split('/').slice(1);
  if (names.slice(0, -1).some(isHidden)) return hidden(value);
  return names.length === 0 ? mask(value) : maskField(names.at(-1) ?? '', value, 1);
}

/** The same as text: JSON, and of a value that is hidden what is told of it. */
export function maskedText(pointer: string, value: unknown): string {
  const shown = maskAt(pointer, value);
  return isHiddenAt(pointer) && typeof shown === 'string' && shown !== '' ? shown : JSON.stringify(shown);
}

/** What is secret as a parameter of an address only. */
const secretInAddress = /^session$/i;
/** The session in the path of a page, whatever stands between. */
const session = /(\/(?:portal|microsite)\b.*?\/s\/[./]*)[^/]+/gis;
/** An address or a form, in the name or the value of a parameter, with something secret in it. */
const secretInside = /(token|secret|otp|password|pin|jwt|authorization|session)\W*=|\/(portal|microsite)\b.*\/s\//is;

/**
 * An address with secret parameters and the session of a page's path hidden, however they are spelled and as often as
 * they come.
 */
export function maskUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const shown = path.replace(/^(https?:\/\/)[^/]*@/i, '$1***@');
  return maskParameters(maskSession(shown) + url.slice(path.length));
}

function maskSession(path: string): string {
  const plain = decoded(path).replaceAll('\\', '/');
  const masked = plain.replaceAll(session, '$1***');
  return masked === plain ? path : masked;
}

function maskParameters(url: string): string {
  return url.replaceAll(/([?#&;])([^=?#&;]*)(?:=([^#&;]*))?/g, (sent, mark: string, name: string, value?: string) => {
    if (secretInside.test(decoded(name))) return `${mark}***`;
    if (value === undefined) return sent;
    const plain = decoded(name).replaceAll(/\W/g, '');
    if (personal.test(plain) && value !== '') return `${mark}${name}=***${decoded(value).slice(-4)}`;
    const hidden = secret.test(plain) || secretInAddress.test(plain) || secretInside.test(decoded(value));
    return hidden ? `${mark}${name}=***` : sent;
  });
}

/** Deepest percent-encoding of percent-encoding that is looked through. */
const mostEncodings = 8;

/** A text without its percent-encoding, also where it was encoded more than once. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < mostEncodings && /[%+]/.test(plain); round += 1) {
    plain = plain
      .replaceAll('+', ' ')
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return plain;
}

/** What the log shows of an address, and whom and what its query names. */
export interface AddressSeen {
  readonly shown: string;
  readonly uids: readonly string[];
  readonly redeem_codes: readonly string[];
}

/** What is to be known of an address for the log. */
export function seenIn(url: string): AddressSeen {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const named = (names: readonly string[]) => names.flatMap((name) => query.get(name) ?? []);
  return { shown: maskUrl(url), uids: named(['uid', 'customer_id']), redeem_codes: named(['redeem_code']) };
}

/** The customer and the redemptions that a call is about, from its address, its body and its reply. */
export function subjects(
  address: AddressSeen,
  request: unknown,
  reply: unknown,
): { uid: string | null; redeem_codes: readonly string[] } {
  const bodies = [request, reply].filter(isObject);
  let [uid] = address.uids;
  for (const body of bodies) uid ??= [body.uid, body.customer_id].find(isText);
  const codes = [...address.redeem_codes];
  for (const body of bodies) codes.push(...codesIn(body));
  for (const line of bodies.flatMap(({ lines }) => (Array.isArray(lines) ? lines : []))) codes.push(...codesIn(line));
  return { uid: uid ?? null, redeem_codes: codes.length > 1 ? [...new Set(codes)] : codes };
}

function codesIn({ redeemCode, redeem_code }: Record<string, unknown>): string[] {
  return [redeemCode, redeem_code].filter(isText);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
