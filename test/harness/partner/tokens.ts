/** Customer tokens: JWTs (HS256, signed with the server's own secret), or opaque tokens. */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Has } from './mistakes.ts';

const [issuer, audience] = ['partner', 'platform'];

/** Issues and verifies customer tokens. */
export interface CustomerTokens {
  /** Issues a token for the customer at an instant in milliseconds since 1970. */
  sign(sub: string, at: number): string;
  /** Returns the customer of a token, or `undefined` if the token is foreign or expired. */
  subject(token: string, now: number): string | undefined;
}

/** Opaque tokens, which only their issuing server can resolve. */
export class OpaqueTokens implements CustomerTokens {
  readonly #issued = new Map<string, { readonly sub: string; readonly until: number }>();
  readonly #seconds: number;

  /** @param seconds the lifetime of a token */
  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  sign(sub: string, at: number): string {
    const token = `opaque_${randomBytes(24).toString('hex')}`;
    this.#issued.set(token, { sub, until: at + this.#seconds * 1000 });
    return token;
  }

  subject(token: string, now: number): string | undefined {
    const issued = this.#issued.get(token);
    return issued !== undefined && now < issued.until ? issued.sub : undefined;
  }
}

/** Signed tokens that contain their customer's uid. */
export class Tokens implements CustomerTokens {
  readonly #secret: string;
  readonly #seconds: number;
  readonly #has: Has;

  /** @param seconds the lifetime of a token */
  constructor(secret: string, seconds: number, has: Has) {
    this.#secret = secret;
    this.#seconds = seconds;
    this.#has = has;
  }

  sign(sub: string, at: number): string {
    const iat = Math.floor(at / 1000);
    const claims = { iss: issuer, aud: audience, sub, iat, exp: iat + this.#seconds, jti: randomUUID() };
    const signingInput = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
    return `${signingInput}.${this.#signature(signingInput).toString('base64url')}`;
  }

  subject(token: string, now: number): string | undefined {
    const [head = '', payload = '', signature = '', more] = token.split('.');
    if (signature === '' && !this.#has('alg-none')) return undefined;
    if (more !== undefined) return undefined;
    const [header, claims] = this.#has('token-malformed-500')
      ? [JSON.parse(bytes(head).toString()), JSON.parse(bytes(payload).toString())]
      : [decode(head), decode(payload)];
    if (header === undefined || claims === undefined) return undefined;
    const isUnsigned = header.alg === 'none' && signature === '' && this.#has('alg-none');
    if (!isUnsigned) {
      const expected = this.#signature(`${head}.${payload}`);
      const actual = bytes(signature);
      const same = actual.length === expected.length && timingSafeEqual(actual, expected);
      if (header.alg !== 'HS256' || !(same || this.#has('altered-payload'))) return undefined;
    }
    if (claims.iss !== issuer || claims.aud !== audience || typeof claims.sub !== 'string') return undefined;
    const isValid = typeof claims.exp === 'number' && now < claims.exp * 1000;
    return isValid || this.#has('expired-token') ? claims.sub : undefined;
  }

  #signature(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

function decode(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes(text).toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Tokens can be arbitrary text. Text that is not JSON is not a valid token.
    return undefined;
  }
}
