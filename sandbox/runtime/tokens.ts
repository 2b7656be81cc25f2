import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { attempt } from '../store/attempt.ts';
import type { Tx } from '../store/store.ts';
import { addBounded, once } from './caches.ts';
import { draw, type RandomCollections } from './ids.ts';

/** The only algorithm for signing and verification (OP-19, RFC 8725). */
const algorithm = 'HS256';

/** The issuer, audience and workspace of one kind of token. */
interface TokenKind {
  readonly issuer: string;
  readonly audience: string;
  /** The workspace of the token, readable before its signature is checked. It proves nothing. */
  readonly workspace: string;
}

/** Maximum number of tokens in the cache of verified signatures. The oldest are dropped first. */
const mostCached = 1000;

/** The claims of a valid token. */
interface TokenClaims {
  readonly sub: string;
  readonly jti: string;
  /** The expiry time, in seconds since 1970. */
  readonly exp: number;
}

/**
 * A cache of verified tokens, with their verifier and claims. Only expiry can invalidate a cached token. Verifiers that
 * are tried one after the other share a cache, because a token is of only one kind.
 */
export type VerifiedTokens = Map<string, { readonly by: Tokens; readonly claims: TokenClaims }>;

/** Signs and checks tokens of one kind. All times are sandbox time. */
export class Tokens {
  readonly #kind: TokenKind;
  /** The imported key. jose would import raw bytes again for every token. */
  readonly #key: () => Promise<CryptoKey>;
  readonly #now: () => number;
  readonly #verified: VerifiedTokens;

  /** @param key at least 32 bytes; each kind needs its own key, so that a token of one kind is never valid as another */
  constructor(kind: TokenKind, key: Uint8Array<ArrayBuffer>, now: () => number, verified: VerifiedTokens = new Map()) {
    if (key.length < 32) throw new RangeError('a signing key needs at least 32 bytes');
    this.#kind = kind;
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    this.#key = once(() => crypto.subtle.importKey('raw', key, hmac, false, ['sign', 'verify']));
    this.#now = now;
    this.#verified = verified;
  }

  /** The number of cached tokens. */
  get remembered(): number {
    return this.#verified.size;
  }

  /** Signs a token for `subject` that is valid for `seconds`. */
  async sign(subject: string, jti: string, seconds: number): Promise<string> {
    const now = Math.floor(this.#now() / 1000);
    const { SignJWT } = await import('jose');
    return new SignJWT()
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: this.#kind.workspace })
      .setIssuer(this.#kind.issuer)
      .setAudience(this.#kind.audience)
      .setSubject(subject)
      .setJti(jti)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(await this.#key());
  }

  /** Returns the claims of a token, or `undefined` if it is invalid for any reason. */
  async check(token: string | undefined): Promise<TokenClaims | undefined> {
    if (token === undefined) return undefined;
    const cached = this.#verified.get(token);
    if (cached === undefined) return this.#verify(token);
    const { by, claims } = cached;
    return by === this && claims.exp > Math.floor(this.#now() / 1000) ? claims : undefined;
  }

  async #verify(token: string): Promise<TokenClaims | undefined> {
    if (!canonical(token)) return undefined;
    const { errors, jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(token, await this.#key(), {
        algorithms: [algorithm],
        issuer: this.#kind.issuer,
        audience: this.#kind.audience,
        requiredClaims: ['sub', 'jti', 'exp', 'iat'],
        currentDate: new Date(this.#now()),
      });
      const { sub, jti, exp } = payload;
      if (sub === undefined || jti === undefined || exp === undefined) return undefined;
      const claims = { sub, jti, exp };
      addBounded(this.#verified, token, { by: this, claims }, mostCached);
      return claims;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** Returns whether one of these keys signed a token. Does not check its claims or its expiry. */
export function isSignedBy(keys: readonly Uint8Array[], token: string): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const signed = (key: Uint8Array) => createHmac('sha256', key).update(token.slice(0, end)).digest();
  return signature.length === 32 && keys.some((key) => timingSafeEqual(signed(key), signature));
}

/** Reads the header or the claims of a JWT without checking its signature. Returns `undefined` if the text is not a JWT. */
export function unverifiedPart(
  token: string,
  part: 'header' | 'claims',
): Readonly<Record<string, unknown>> | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const text = Buffer.from(parts[part === 'header' ? 0 : 1] ?? '', 'base64url').toString();
  const value: unknown = attempt(() => JSON.parse(text));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/**
 * Returns whether a string has three parts, each in canonical base64url. The last character can contain unused bits, so
 * other spellings decode to the same bytes.
 */
function canonical(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/** Returns the SHA-256 digest of a secret or of a whole record. */
export function digest(content: string | Buffer): string {
  return hash('sha256', content);
}

/** Compares two secrets in constant time, by digests of equal length. */
export function sameSecret(actual: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', actual, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** Returns the token of an `Authorization: Bearer` header; `undefined` for any other form. */
export function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([!-~]+)$/i.exec(authorization ?? '')?.[1];
}

/** Returns the token of an `Authorization` header, with or without the `Bearer` prefix (OP-03). */
export function bareOrBearer(authorization: string | undefined): string | undefined {
  return /^(?:Bearer +)?([!-~]+)$/i.exec(authorization ?? '')?.[1];
}

/** Returns the user name and password of an `Authorization: Basic` header; `undefined` for any other form. */
export function basic(authorization: string | undefined): { username: string; password: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** A new handle, and the key under which its session is stored. */
export interface Drawn {
  readonly handle: string;
  readonly id: string;
}

/**
 * Creates the session handles of the pages. A handle is opaque: a part that locates its workspace, and 256 random bits.
 * The session is stored under a digest of the handle.
 */
export class Handles {
  readonly #place: string;
  readonly #key: Uint8Array;

  /**
   * @param place locates the workspace; known only to holders of one of its handles
   * @param key unique to the workspace, because a fork continues the same random stream and must not be able to
   *   derive these handles
   */
  constructor(place: string, key: Uint8Array) {
    this.#place = place;
    this.#key = key;
  }

  /** Draws a handle in the transaction that writes its session. */
  draw(tx: Tx<RandomCollections>): Drawn {
    const bytes = createHmac('sha256', this.#key)
      .update(draw(tx, (random) => random.bytes(32)))
      .digest('base64url');
    const handle = `${this.#place}.${bytes}`;
    return { handle, id: storedAs(handle) };
  }
}

/** Returns the key under which the session of a handle is stored. It is a digest, so stored data does not reveal handles. */
export function storedAs(handle: string): string {
  return digest(handle);
}

/** Returns the part of a handle that locates its workspace. It proves nothing. */
export function workspacePlaceOf(handle: string): string {
  return handle.split('.', 1)[0] ?? '';
}
