/**
 * What a terminal would act on instead of showing it: control characters, DEL among them, and what turns the direction
 * of the text.
 */
const acting = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * A text as one line for a terminal, with such characters as `\u001b`: whoever is talked about does not get to move the
 * cursor, hide a line or forge one. JSON stays the same JSON.
 */
export function printable(text: string): string {
  return text.replaceAll(acting, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
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
