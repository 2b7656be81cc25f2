import { createHash } from 'node:crypto';

/** A strong entity tag: two texts have the same one if they are the same byte for byte (RFC 9110, 8.8.3). */
export function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** An entity tag in `If-None-Match`; the prefix of a weak one does not count when tags are compared. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const tagList = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/**
 * Whether `If-None-Match` names the representation with this tag: `*`, or a list that contains it, by weak comparison
 * (RFC 9110, 13.1.2). A malformed header names nothing.
 */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  if (!tagList.test(ifNoneMatch)) return false;
  return ifNoneMatch.matchAll(listedTag).some(([, tag]) => tag === etag);
}
