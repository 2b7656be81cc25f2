import { createHmac, type KeyObject } from 'node:crypto';
import { sameSecret } from '../runtime/tokens.ts';

/** A position in the catalogue: the last item seen, the filter, and when the cursor expires. */
export interface Position {
  /** Without a line break. */
  readonly after: string;
  readonly filter: string;
  /** Milliseconds on the sandbox clock. */
  readonly until: number;
}

const lifetime = 24 * 3600 * 1000;
const together = 30 * 60 * 1000;

/**
 * When a cursor ends that is handed out now: after 24 hours, and then at the next full or half hour. So the pages of
 * half an hour are the same byte for byte.
 */
export function cursorEnd(now: number): number {
  return Math.ceil(now / together) * together + lifetime;
}

/** A cursor for a position: opaque to the caller, and of no use once a bit of it is changed (OP-12). */
export function writeCursor(position: Position, key: KeyObject): string {
  const payload = Buffer.from(`${position.until}\n${position.after}\n${position.filter}`).toString('base64url');
  return `${payload}.${seal(payload, key)}`;
}

/**
 * The position of a cursor, or undefined when it was not made here, was changed, belongs to another filter or has
 * ended.
 */
export function readCursor(cursor: string, key: KeyObject, filter: string, now: number): Position | undefined {
  const [payload = '', given = '', ...rest] = cursor.split('.');
  if (rest.length > 0 || !sameSecret(given, seal(payload, key))) return undefined;
  const [end, after = '', ...made] = Buffer.from(payload, 'base64url').toString().split('\n');
  const until = Number(end);
  return made.join('\n') === filter && now < until ? { after, filter, until } : undefined;
}

/** The text itself is sealed, not what it decodes to: base64url spells some bytes in several ways. */
function seal(payload: string, key: KeyObject): string {
  return createHmac('sha256', key).update(payload).digest('base64url');
}
