/** What the activity log shows of bodies and addresses: who and what they are about, and nothing that opens a door. */

/** Fields that are hidden altogether, in any case of letters. */
const secret =
  /^(secret|(access_|admin_|client_|service_)?token|company_secret|otp|password|pin|jwt|authorization|voucherCode)$/i;
/** Fields of which the last four characters stay readable. */
const personal = /^(pan|mobileNo|mobile_no|mobile)$/i;

/** Deepest nesting that is shown. Whoever replies decides how deep a value is. */
const deepest = 32;

/** A copy that can be kept: secrets hidden, however deep; a number without a JSON form by its name, what is deeper than is shown by `too deep`. */
export function mask(value: unknown, depth = 1): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > deepest) return 'too deep';
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskField(name, field, depth + 1)]));
}

function maskField(name: string, field: unknown, depth: number): unknown {
  if (field === '' || field === null) return field;
  if (secret.test(name)) return '***';
  if (personal.test(name)) return typeof field === 'string' ? `***${field.slice(-4)}` : '***';
  return mask(field, depth);
}

/** What stands at a JSON pointer of a body, as the masked body would show it. */
export function maskAt(pointer: string, value: unknown): unknown {
  const names = pointer.split('/').slice(1);
  if (names.slice(0, -1).some((name) => secret.test(name) || personal.test(name))) return '***';
  return names.length === 0 ? mask(value) : maskField(names.at(-1) ?? '', value, 1);
}

/** An address with secret query parameters and the session of a page's path hidden. */
export function maskUrl(url: string): string {
  return url
    .replace(/([?&](?:(?:access_)?token|secret|otp|password)=)[^&]*/gi, '$1***')
    .replace(/^(\/(?:portal|microsite)\/s\/)[^/?]*/, '$1***');
}

/** The customer and the redemptions that a call is about, from its address, its body and its reply. */
export function subjects(
  url: string,
  request: unknown,
  reply: unknown,
): { uid: string | null; redeem_codes: string[] } {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const bodies = [request, reply].filter((body) => body !== null && typeof body === 'object') as Record<
    string,
    unknown
  >[];
  const uids = [query.get('uid'), query.get('customer_id'), ...bodies.flatMap((body) => [body.uid, body.customer_id])];
  const lines = bodies.flatMap((body) => (Array.isArray(body.lines) ? body.lines : []));
  const codes = [
    query.get('redeem_code'),
    ...[...bodies, ...lines].flatMap((body) => [body.redeemCode, body.redeem_code]),
  ];
  return {
    uid: uids.find((uid) => typeof uid === 'string') ?? null,
    redeem_codes: [...new Set(codes.filter((code) => typeof code === 'string'))],
  };
}
