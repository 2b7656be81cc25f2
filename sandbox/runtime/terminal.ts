/**
 * What a terminal acts on, or does not show at all: control characters, characters that turn the direction of the text,
 * and those without width.
 */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * A text as one line for a terminal, with such characters as `\u001b`: foreign text cannot move the cursor, hide a line
 * or forge one. JSON stays the same JSON.
 */
export function printable(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** Writes lines, each of which stays one line whatever foreign text is in it. */
export function writeLines(stream: NodeJS.WritableStream, ...lines: readonly string[]): void {
  stream.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

/** Rows as lines whose columns are as wide as what is in them; foreign text stays in its place. */
export function columns(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return shown.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/**
 * Keeps a command going when its reader leaves, as `| head -1` does, or when a message cannot be written. Data that
 * cannot be written for another reason, as to a full disk, ends it.
 */
export function letReadersLeave(data: NodeJS.WritableStream, messages: NodeJS.WritableStream): void {
  data.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  });
  messages.on('error', () => {});
}

/** Keeps a server running when it cannot write, as to a full disk. Returns a function that counts the failures. */
export function countWriteFailures(...streams: readonly NodeJS.WritableStream[]): () => number {
  let failures = 0;
  for (const stream of streams) {
    stream.on('error', () => {
      failures += 1;
    });
  }
  return () => failures;
}
