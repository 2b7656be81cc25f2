/** A mistake that somebody could make in the code, and the test that has to see it. */
export interface Mutant {
  /** Short, unique, of small letters and hyphens. */
  readonly id: string;
  /** What goes wrong for a user, in a sentence without its full stop. */
  readonly title: string;
  /** The file to spoil, from the top of the project. */
  readonly file: string;
  /** The text that is replaced. It stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test files to run, of the short suite or of the long one. Some test in them has to pass, to show that the code still runs at all. */
  readonly tests: readonly string[];
  /** A pattern of the titles of the tests to run, for files that take long. */
  readonly only?: string;
  /** A part of the title of the test that has to fail. */
  readonly killedBy: string;
  /** Whether running into the time limit is how it shows. */
  readonly hangs?: true;
}

/** A file's text with the mutant in it, or undefined where the text to replace is not there exactly once. */
export function spoil(text: string, { find, replace }: Pick<Mutant, 'find' | 'replace'>): string | undefined {
  const parts = text.split(find);
  return parts.length === 2 ? parts.join(replace) : undefined;
}
