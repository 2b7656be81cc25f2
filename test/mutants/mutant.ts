/** A mistake that a developer could make in the code, and the test that must then fail. */
export interface Mutant {
  /** Short, unique, in lower case with hyphens. */
  readonly id: string;
  /** What goes wrong for a user: a sentence without its full stop. */
  readonly title: string;
  /** The file to change. */
  readonly file: string;
  /** The text to replace. The file has it once; a space stands for any white space. */
  readonly find: string;
  /** Left out, the text is removed. */
  readonly replace?: string;
  /**
   * The test files to run. Left out, it is the file that has a test of that title. Name it where the title comes from a
   * table or a shared module, and further files where no other test of it passes: one must, to show that the code runs.
   */
  readonly tests?: readonly string[];
  /** A pattern of the titles of the tests to run, for files that take long. */
  readonly only?: string;
  /** Part of the title of the test that must fail. */
  readonly killedBy: string;
  /** Whether a hang is how the mistake shows. */
  readonly hangs?: true;
}

/** Mutants of a part of the code, by id. */
export type Mutants = Readonly<Record<string, Omit<Mutant, 'id'>>>;
