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

/**
 * Lets whoever reads what is printed stop reading, as `| head -1` does: nothing ends by that, and the exit code stays.
 */
export function letReadersLeave(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    });
  }
}
