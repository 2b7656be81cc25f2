/** Finds the test files of mutants, whichever suite or folder they are in now. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutant.ts';
import { nearest } from './place.ts';
import { root } from './project-copy.ts';

/** Whether a file belongs to the nightly suite. */
export function isNightly(file: string): boolean {
  return file.endsWith('.nightly.test.ts');
}

export class TestFiles {
  readonly #folder: string;
  readonly #all: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #imports = new Map<string, readonly string[]>();

  constructor(folder = root) {
    this.#folder = folder;
    this.#all = globSync('test/**/*.test.ts', { cwd: folder }).sort();
  }

  /**
   * The files to run for a mutant: those that it names, in either suite, else the one that has a test of that title. A
   * reason where there is none.
   */
  resolve({ tests = [], killedBy }: Pick<Mutant, 'tests' | 'killedBy'>): readonly string[] | { reason: string } {
    const mayHave = (file: string) => this.#mayHave(file, killedBy);
    const alike = tests.map((file) => this.#all.filter((each) => inGate(each) === inGate(file)));
    const named = alike.flatMap((files, index) => files.find((each) => each === tests[index]) ?? files.slice(0, 1));
    if (named.some(mayHave)) return named;
    if (alike.flat().some(mayHave)) return alike.flat().filter(mayHave);
    const found = this.#all.filter((file) => this.#text(file).includes(killedBy));
    const best = found.some((file) => !isNightly(file)) ? found.filter((file) => !isNightly(file)) : found;
    if (best.length === 1) return best;
    if (best.length > 1) return { reason: `the test "${killedBy}" may be in any of ${best.join(', ')}` };
    const texts = (named.length > 0 ? named : this.#all).map((file) => this.#read(file));
    return { reason: `no test is called "${killedBy}"; ${nearest(texts, killedBy)}` };
  }

  /** A title from a table is not in the text as a whole; its words are. Tests of both suites share modules. */
  #mayHave(file: string, title: string): boolean {
    const shared = this.#importsOf(file).filter((imported) => imported.startsWith('test/'));
    const text = [file, ...shared].map((each) => this.#text(each)).join(' ');
    return text.includes(title) || title.split(/[\s,:;"()]+/).every((word) => text.includes(word));
  }

  #importsOf(file: string): readonly string[] {
    const cached = this.#imports.get(file);
    if (cached !== undefined) return cached;
    const { importedFiles } = ts.preProcessFile(this.#read(file), true, true);
    const relative = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    const imports = relative.map((name) => normalize(join(dirname(file), name))).filter((each) => this.#exists(each));
    this.#imports.set(file, imports);
    return imports;
  }

  /** The text of a file, in one line. */
  #text(file: string): string {
    const text = this.#texts.get(file) ?? this.#read(file).replaceAll("\\'", "'").replace(/\s+/g, ' ');
    this.#texts.set(file, text);
    return text;
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }

  #exists(file: string): boolean {
    return existsSync(join(this.#folder, file));
  }
}

/** The name that a test file has, or would have, in the gate. */
function inGate(file: string): string {
  return file.replace('.nightly.test.ts', '.test.ts');
}
