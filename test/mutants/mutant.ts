/** A mistake that a developer could make in the code, and the test that must then fail. */
export interface Mutant {
  /** A short, unique id in lower case with hyphens. */
  readonly id: string;
  /** The effect of the mistake on a user, as a sentence without a full stop. */
  readonly title: string;
  /** The path of the file to change. */
  readonly file: string;
  /** The text to replace, which must occur exactly once in the file. A space matches any white space. */
  readonly find: string;
  /** The replacement. By default, the text is removed. */
  readonly replace?: string;
  /**
   * The test files to run. The default is the file that contains the title in `killedBy`. Set this field if the title
   * comes from a table or a shared module. Add files if no other test passes with the mutant, because one passing test
   * must prove that the code runs.
   */
  readonly tests?: readonly string[];
  /** A pattern of the test titles to run, for slow files. */
  readonly only?: string;
  /** A part of the title of the test that must fail. */
  readonly killedBy: string;
  /** Set if the mistake makes the test hang. */
  readonly hangs?: true;
}

/** Mutants of one part of the code, by id. */
export type Mutants = Readonly<Record<string, Omit<Mutant, 'id'>>>;
