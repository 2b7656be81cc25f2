/** How lengths of time and sizes of bodies are written and drawn. */

/** Milliseconds at which a bar is full: longer than a caller waits. */
const longest = 60_000;

/** A short length of time, such as `12 ms` or `2.4 s`. */
export function length(milliseconds: number) {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/**
 * The length of a bar for a duration, in percent. Ten times as long is always the same piece more, so that
 * 5 ms and 5 s can both be seen.
 */
export function lengthShare(milliseconds: number) {
  return Math.round(Math.min(1, Math.log1p(milliseconds) / Math.log1p(longest)) * 100);
}

/**
 * How large a body is, such as `312 B` or `4.1 KB`, written as compact JSON with what the log masks in it; of one that
 * the log left out, what it was. Undefined where there was none.
 */
export function sizeOf(body: unknown) {
  if (body === null || body === undefined) return undefined;
  const { omitted } = body as { omitted?: unknown };
  const left = typeof omitted === 'string' ? Number.parseInt(omitted, 10) : Number.NaN;
  const bytes = Number.isNaN(left) ? new TextEncoder().encode(JSON.stringify(body)).length : left;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB`;
}
