/** Nothing could be run: why, and what can be done. */
export class EnvironmentError extends Error {
  /** The message, line by line. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}
