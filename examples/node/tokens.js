/** Authenticates callers by the customer's JWT, the platform's service token or the microsite's Basic credentials. */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Refused, tokenInvalid } from './refused.js';

export const tokenSeconds = Number(process.env.TOKEN_SECONDS || 1800);
const [issuer, audience] = ['client', 'rewards-platform'];
const header = encode({ alg: 'HS256', typ: 'JWT' });

export class Tokens {
  #settings;

  /** @param settings serviceToken, basicUser, basicPassword, and jwtSecret, the signing key of customer tokens */
  constructor(settings) {
    this.#settings = settings;
  }

  /** Signs a JWT for a customer. */
  sign(uid) {
    const iat = seconds();
    const claims = { iss: issuer, aud: audience, sub: uid, iat, exp: iat + tokenSeconds, jti: randomUUID() };
    const signed = `${header}.${encode(claims)}`;
    return `${signed}.${this.#signature(signed)}`;
  }

  /** Identifies the caller. Returns `{ uid }` for a customer's JWT, or `{}` for the service token. */
  customerOrService(authorization) {
    const token = bearer(authorization);
    if (same(token, this.#settings.serviceToken)) return {};
    return { uid: this.#subject(token) };
  }

  service(authorization) {
    if (!same(bearer(authorization), this.#settings.serviceToken)) throw tokenInvalid();
    return {};
  }

  microsite(authorization) {
    const [, base64 = ''] = /^Basic +([\w+/=]+)$/i.exec(authorization) ?? [];
    const given = Buffer.from(base64, 'base64').toString();
    const { basicUser, basicPassword } = this.#settings;
    if (same(given, `${basicUser}:${basicPassword}`)) return {};
    throw new Refused(401, 'Missing or invalid Basic credentials', { 'WWW-Authenticate': 'Basic realm="client"' });
  }

  /** Returns the customer of a valid JWT. Checks its algorithm, signature, issuer, audience and expiry. */
  #subject(token) {
    const [head, body, signature, ...more] = token.split('.');
    // Accept only the header that we write, so that no token can choose its own algorithm, such as `none`.
    if (head !== header || signature === undefined || more.length > 0) throw tokenInvalid();
    if (!same(signature, this.#signature(`${head}.${body}`))) throw tokenInvalid();
    const { iss, aud, sub, exp } = JSON.parse(Buffer.from(body, 'base64url').toString());
    if (iss !== issuer || aud !== audience || exp <= seconds()) throw tokenInvalid();
    return sub;
  }

  #signature(text) {
    return createHmac('sha256', this.#settings.jwtSecret).update(text).digest('base64url');
  }
}

function bearer(authorization) {
  const [, token] = /^Bearer +([!-~]+)$/i.exec(authorization) ?? [];
  if (token === undefined) throw tokenInvalid();
  return token;
}

/** Compares secrets in constant time. */
export function same(given, expected) {
  const digest = (text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function seconds() {
  return Math.floor(Date.now() / 1000);
}
