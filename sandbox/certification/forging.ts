/** Tokens that a server must reject: placeholders, and forgeries of a customer's JWT. */
import { createHmac } from 'node:crypto';

/** What is sent in the header `Authorization`, and what it is in words. */
export interface Credential {
  readonly what: string;
  /** The kind of forgery; a server that accepts one usually accepts all of the kind. Default: `what`. */
  readonly kind?: string;
  /** Null for no such header. */
  readonly authorization: string | null;
}

type Claims = Readonly<Record<string, unknown>>;

/** The parts of a JWT. */
export interface Jwt {
  readonly head: Claims;
  readonly claims: Claims;
  /** The three parts as they were sent. */
  readonly parts: readonly [head: string, payload: string, signature: string];
}

/** A token as a JWT; undefined if it is none. */
export function readJwt(token: string): Jwt | undefined {
  const [head = '', payload = '', signature = '', ...more] = token.split('.');
  const [header, claims] = [decoded(head), decoded(payload)];
  if (header === undefined || claims === undefined || signature === '' || more.length > 0) return undefined;
  return { head: header, claims, parts: [head, payload, signature] };
}

/** The mistake of a server that does not take the token of its own sign-in; one that is no JWT explains it. */
export const refusesOwn = { is: "refuses the customer's own JWT", explainedBy: ['OTP-03'] };

/** No token at all. */
export const noToken: Credential = { what: 'no token', authorization: null };

/** Forged tokens. `unknown` is a text that was never used. */
export function forgeUnissued(unknown: string, serviceToken: string): readonly Credential[] {
  const kind = 'an unknown token';
  return [
    { what: 'the word Bearer alone', kind, authorization: 'Bearer' },
    { what: 'an unissued token', kind, authorization: `Bearer ${unknown}` },
    { what: 'a malformed JWT', kind, authorization: 'Bearer a.b.c' },
    // Not one character only: decoders of Base64 may drop that.
    { what: 'the service token followed by extra characters', authorization: `Bearer ${serviceToken}-xx` },
  ];
}

/**
 * The JWT with other claims, another signature, or one by another key. Nothing of the right signature is in the latter
 * two: reports show them.
 */
export function forgeTampered({ head, claims, parts: [first, payload, signature] }: Jwt): readonly Credential[] {
  const changed = typeof claims.exp === 'number' ? { ...claims, exp: claims.exp + 60 } : { ...claims, changed: true };
  const other = 'A'.repeat(signature.length);
  const signed = `${encoded({ ...head, alg: 'HS256' })}.${payload}`;
  const own = createHmac('sha256', 'the key of another issuer').update(signed).digest('base64url');
  return [
    {
      kind: 'a forged JWT',
      what: 'a JWT with changed claims and the old signature',
      authorization: `Bearer ${first}.${encoded(changed)}.${signature}`,
    },
    {
      kind: 'a forged JWT',
      what: 'a JWT with another signature',
      authorization: `Bearer ${first}.${payload}.${other}`,
    },
    { kind: 'a forged JWT', what: 'a JWT signed with another key', authorization: `Bearer ${signed}.${own}` },
  ];
}

/** The JWT without a signature, which its head says is right. */
export function forgeUnsigned({ head, parts: [, payload] }: Jwt): readonly Credential[] {
  return ['none', 'None'].map((alg) => ({
    kind: 'an unsigned JWT',
    what: `an unsigned JWT with \`alg\` ${alg}`,
    authorization: `Bearer ${encoded({ ...head, alg })}.${payload}.`,
  }));
}

function encoded(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Claims) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
