import { createHash } from 'node:crypto';

/**
 * A body that many calls are answered with. It is serialised here, once, and each operation that answers with it checks
 * it once; whoever has other data makes another one. It must not be changed any more.
 */
export class SharedBody<Body = unknown> {
  readonly body: Body;
  /** The body as it goes over the wire. */
  readonly bytes: Buffer;
  /** A strong entity tag: two bodies have the same one if they are the same byte for byte (RFC 9110, 8.8.3). */
  readonly etag: string;

  constructor(body: Body) {
    this.body = body;
    const text = JSON.stringify(body);
    // Memory of its own: one that is small would keep a piece alive that it shares with others.
    this.bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    this.bytes.write(text);
    this.etag = `"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 27)}"`;
  }
}

/** An entity tag as it may stand in `If-None-Match`; what makes it a weak one does not count when tags are compared. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const tagList = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/**
 * Whether `If-None-Match` names the representation with this tag: any, by `*`, or one of those listed, by weak
 * comparison (RFC 9110, 13.1.2). What is neither names nothing.
 */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  if (!tagList.test(ifNoneMatch)) return false;
  return ifNoneMatch.matchAll(listedTag).some(([, tag]) => tag === etag);
}
