/**
 * Matches characters that a terminal interprets or does not show: control characters, text direction marks and
 * zero-width characters.
 */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Formats text as one line for a terminal, and escapes such characters as `\u001b`. Untrusted text cannot move the
 * cursor, or hide or forge a line. JSON text stays valid and retains its value.
 */
export function printable(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** Writes lines. Untrusted text in a line cannot add another line. */
export function writeLines(stream: NodeJS.WritableStream, ...lines: readonly string[]): void {
  stream.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

/** Formats rows as text with aligned columns. Untrusted text cannot break the alignment. */
export function columns(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return shown.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/**
 * Keeps a command running if its reader disconnects, as with `| head -1`, or if a message cannot be written. Any other
 * failure to write data, such as a full disk, ends the command.
 */
export function letReadersLeave(data: NodeJS.WritableStream, messages: NodeJS.WritableStream): void {
  data.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  });
  messages.on('error', () => {});
}

/**
 * Keeps a server running if it cannot write, for example to a full disk. Returns a function that returns the number of
 * failures.
 */
export function countWriteFailures(...streams: readonly NodeJS.WritableStream[]): () => number {
  let failures = 0;
  for (const stream of streams) {
    stream.on('error', () => {
      failures += 1;
    });
  }
  return () => failures;
}
