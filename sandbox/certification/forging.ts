/** Tokens that a server must reject: invalid tokens, and forgeries of a customer's JWT. */
import { createHmac } from 'node:crypto';
import { asFields, type Fields, parseJson } from './answer.ts';

/** An `Authorization` header, and its description. */
export interface Credential {
  readonly what: string;
  /** The kind of forgery, by default `what`. A server that accepts one forgery usually accepts all of its kind. */
  readonly kind?: string;
  /** The value of the header, or `null` to send none. */
  readonly authorization: string | null;
}

/** A decoded JWT. */
export interface Jwt {
  readonly head: Fields;
  readonly claims: Fields;
  /** The three encoded parts. */
  readonly parts: readonly [head: string, payload: string, signature: string];
}

/** Decodes a JWT without verifying it. Returns `undefined` if the token is not a JWT. */
export function readJwt(token: string): Jwt | undefined {
  const [head = '', payload = '', signature = '', ...more] = token.split('.');
  const [header, claims] = [decoded(head), decoded(payload)];
  if (header === undefined || claims === undefined || signature === '' || more.length > 0) return undefined;
  return { head: header, claims, parts: [head, payload, signature] };
}

/** The cause of failures if a server rejects its own token. A token that is not a JWT explains it. */
export const refusesOwn = { is: "refuses the customer's own JWT", explainedBy: ['OTP-03'] };

/** A call without an `Authorization` header. */
export const noToken: Credential = { what: 'no token', authorization: null };

/** Returns tokens that the server did not issue. `unknown` is an unused string. */
export function forgeUnissued(unknown: string, serviceToken: string): readonly Credential[] {
  const kind = 'an unknown token';
  return [
    { what: 'the word Bearer alone', kind, authorization: 'Bearer' },
    { what: 'an unissued token', kind, authorization: `Bearer ${unknown}` },
    { what: 'a malformed JWT', kind, authorization: 'Bearer a.b.c' },
    // More than one character, because Base64 decoders may drop a single one.
    { what: 'the service token followed by extra characters', authorization: `Bearer ${serviceToken}-xx` },
  ];
}

/**
 * Returns forgeries of a JWT with changed claims, a different signature, or a different key. Reports show the last two, so
 * neither contains any part of the original signature.
 */
export function forgeTampered({ head, claims, parts: [first, payload, signature] }: Jwt): readonly Credential[] {
  const changed = typeof claims.exp === 'number' ? { ...claims, exp: claims.exp + 60 } : { ...claims, changed: true };
  const other = 'A'.repeat(signature.length);
  const signed = `${encoded({ ...head, alg: 'HS256' })}.${payload}`;
  const own = createHmac('sha256', 'the key of another issuer').update(signed).digest('base64url');
  return [
    { what: 'a JWT with changed claims and the old signature', token: `${first}.${encoded(changed)}.${signature}` },
    { what: 'a JWT with another signature', token: `${first}.${payload}.${other}` },
    { what: 'a JWT signed with another key', token: `${signed}.${own}` },
  ].map(({ what, token }) => ({ kind: 'a forged JWT', what, authorization: `Bearer ${token}` }));
}

/** Returns the JWT without a signature, as its header declares with `alg`. */
export function forgeUnsigned({ head, parts: [, payload] }: Jwt): readonly Credential[] {
  return ['none', 'None'].map((alg) => ({
    kind: 'an unsigned JWT',
    what: `an unsigned JWT with \`alg\` ${alg}`,
    authorization: `Bearer ${encoded({ ...head, alg })}.${payload}.`,
  }));
}

function encoded(value: Fields): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Decodes a part of a JWT. Returns `undefined` if it is not a JSON object. */
export function decoded(part: string): Fields | undefined {
  return asFields(parseJson(Buffer.from(part, 'base64url').toString()));
}
