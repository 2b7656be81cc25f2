import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Tx } from '../store/store.ts';
import { draw, type RandomCollections } from './ids.ts';
import { once } from './once.ts';

/** The one algorithm that is signed with and accepted (OP-19, RFC 8725). */
const algorithm = 'HS256';

/** Who signs a kind of token and for whom. */
interface TokenKind {
  readonly issuer: string;
  readonly audience: string;
  /** Says whose token this is before its signature is checked; it proves nothing. */
  readonly workspace: string;
}

/** Tokens whose signature is remembered as right, the newest. */
const mostCached = 1000;

/** What a token that holds says. */
interface TokenClaims {
  readonly sub: string;
  readonly jti: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/**
 * Tokens that were valid on first use, and whose they are: only expiry can change that. Kinds that are checked one after the
 * other share one, since a token is of one kind.
 */
export type VerifiedTokens = Map<string, { readonly by: Tokens; readonly claims: TokenClaims }>;

/** Signs and checks the tokens of one kind. Time is the sandbox clock's. */
export class Tokens {
  readonly #kind: TokenKind;
  /** Imported once: jose would import raw bytes again for every token. */
  readonly #key: () => Promise<CryptoKey>;
  readonly #now: () => number;
  readonly #verified: VerifiedTokens;

  /** @param key at least 32 bytes; a key of its own for each kind, so that no kind passes for another */
  constructor(kind: TokenKind, key: Uint8Array<ArrayBuffer>, now: () => number, verified: VerifiedTokens = new Map()) {
    if (key.length < 32) throw new RangeError('a signing key needs at least 32 bytes');
    this.#kind = kind;
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    this.#key = once(() => crypto.subtle.importKey('raw', key, hmac, false, ['sign', 'verify']));
    this.#now = now;
    this.#verified = verified;
  }

  /** How many tokens are remembered. */
  get remembered(): number {
    return this.#verified.size;
  }

  /** A token for `subject` that holds for `seconds`. */
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

  /**
   * What the token says, or undefined when it does not hold, whatever the reason.
   */
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
      return this.#remember(token, { sub, jti, exp });
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  #remember(token: string, claims: TokenClaims): TokenClaims {
    this.#verified.set(token, { by: this, claims });
    const [oldest = ''] = this.#verified.keys();
    if (this.#verified.size > mostCached) this.#verified.delete(oldest);
    return claims;
  }
}

/** Whether one of these keys signed a token. What it says, and whether it has expired, stays to be checked. */
export function isSignedBy(keys: readonly Uint8Array[], token: string): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const signed = (key: Uint8Array) => createHmac('sha256', key).update(token.slice(0, end)).digest();
  return signature.length === 32 && keys.some((key) => timingSafeEqual(signed(key), signature));
}

/** Reads the header or the claims of a JWT without a check of its signature. Undefined if the text is not a JWT. */
export function unverifiedPart(
  token: string,
  part: 'header' | 'claims',
): Readonly<Record<string, unknown>> | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(parts[part === 'header' ? 0 : 1] ?? '', 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a text has the three parts of a token, each the one spelling of its bytes: base64url leaves bits in the last
 * character that mean nothing.
 */
function canonical(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/** A digest of a secret or of a whole record. */
export function digest(content: string | Buffer): string {
  return hash('sha256', content);
}

/** Whether two secrets are the same, in constant time: equal-length digests are compared. */
export function sameSecret(actual: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', actual, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** The token of an `Authorization: Bearer` header; undefined for any other form. */
export function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([!-~]+)$/i.exec(authorization ?? '')?.[1];
}

/** The token of an `Authorization` header that may carry it bare or behind `Bearer` (OP-03). */
export function bareOrBearer(authorization: string | undefined): string | undefined {
  return /^(?:Bearer +)?([!-~]+)$/i.exec(authorization ?? '')?.[1];
}

/** User name and password of an `Authorization: Basic` header; undefined for any other form. */
export function basic(authorization: string | undefined): { username: string; password: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** A handle that was drawn, and what its session is stored under. */
export interface Drawn {
  readonly handle: string;
  readonly id: string;
}

/**
 * The handles of the pages' sessions. A handle is opaque: a part that leads to its workspace, and 256 random bits. The
 * collections store its session under the digest of the handle.
 */
export class Handles {
  readonly #place: string;
  readonly #key: Uint8Array;

  /**
   * @param place leads to the workspace; known only to holders of a handle of it
   * @param key the workspace's own: a fork continues the same stream of randomness, and must not know these handles
   */
  constructor(place: string, key: Uint8Array) {
    this.#place = place;
    this.#key = key;
  }

  /** Draws one in the transaction that writes what it opens. */
  draw(tx: Tx<RandomCollections>): Drawn {
    const bytes = createHmac('sha256', this.#key)
      .update(draw(tx, (random) => random.bytes(32)))
      .digest('base64url');
    const handle = `${this.#place}.${bytes}`;
    return { handle, id: storedAs(handle) };
  }
}

/** What the session of a handle is stored under, so that the collections open nothing. */
export function storedAs(handle: string): string {
  return digest(handle);
}

/** The part of a handle that leads to its workspace; it proves nothing. */
export function workspacePlaceOf(handle: string): string {
  return handle.split('.', 1)[0] ?? '';
}
