import { createHash, timingSafeEqual } from 'node:crypto';

/** A digest of a secret or of a whole record. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether two secrets are the same, in a time that tells nothing about either: equal-length digests are compared. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());
}

/** The token of an `Authorization: Bearer` header; undefined for any other form. */
export function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([!-~]+)$/i.exec(authorization ?? '')?.[1];
}

/** The token of an `Authorization` header that may carry it bare or behind `Bearer` (OP-03). */
export function bareOrBearer(authorization: string | undefined): string | undefined {
  return bearer(authorization) ?? /^[!-~]+$/.exec(authorization ?? '')?.[0];
}

/** User name and password of an `Authorization: Basic` header; undefined for any other form. */
export function basic(authorization: string | undefined): { username: string; password: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
