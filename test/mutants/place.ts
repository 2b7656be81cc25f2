/** Finds the place of a mutant: the declaration that its target names, and the text inside that. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutant.ts';
import { root } from './project-copy.ts';

type Patch = Pick<Mutant, 'target' | 'find' | 'replace'>;

/** Where a mutant belongs now, and that file with the mutant in it. */
export interface Place {
  readonly target: string;
  readonly file: string;
  readonly text: string;
}

/** Why a mutant has no place. */
export interface Misfit {
  readonly reason: string;
}

/** A top-level function or variable, or a member of a class, such as `balance` or `Ledger.append`. */
interface Declaration {
  readonly name: string;
  readonly start: number;
  readonly text: string;
}

/** The source files that mutants may be in. Each is read and parsed once. */
export class Sources {
  readonly #folder: string;
  readonly #files: readonly string[];
  readonly #declarations = new Map<string, readonly Declaration[]>();

  constructor(folder = root) {
    this.#folder = folder;
    this.#files = globSync('sandbox/**/*.{ts,tsx,js}', { cwd: folder }).sort();
  }

  /**
   * The place of a mutant: where its target says, else in the only declaration of that name, in any file, that has its
   * text. A mutant without a place gets the reason.
   */
  place({ target, find, replace = '' }: Patch): Place | Misfit {
    const [file = '', name] = target.split(':');
    const pattern = patternOf(find);
    const all = this.#files;
    const matches = (files: readonly string[], fits: (declaration: Declaration) => boolean) =>
      files.flatMap((each) =>
        this.#declarationsIn(each)
          .filter(fits)
          .flatMap((one) => matchesIn(each, one, pattern)),
      );
    const isNamed = (declaration: Declaration) => declaration.name === name;
    const here = matches(all.includes(file) ? [file] : [], isNamed);
    const [only, ...others] = here.length > 0 ? here : matches(all, isNamed);
    if (only !== undefined && others.length === 0) {
      const text = this.#read(only.file);
      return { ...only, text: text.slice(0, only.start) + replace + text.slice(only.end) };
    }
    if (only !== undefined) return { reason: `"${find}" is found ${others.length + 1} times in ${target}` };
    const member = (declared = '') => declared.slice(declared.lastIndexOf('.') + 1);
    const alike = matches(all, (declaration) => member(declaration.name) === member(name));
    const anywhere = alike.length > 0 ? alike : matches(all, () => true);
    const [moved, ...more] = anywhere;
    if (moved !== undefined && more.length === 0) {
      return { reason: `${target} has no "${find}", but ${moved.target} has` };
    }
    const named = all.flatMap((each) => this.#declarationsIn(each).filter(isNamed));
    const texts = named.length > 0 ? named.map(({ text }) => text) : all.includes(file) ? [this.#read(file)] : [];
    return { reason: `${target} has no "${find}"; ${nearest(texts, find)}` };
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }

  #declarationsIn(file: string): readonly Declaration[] {
    const declarations = this.#declarations.get(file) ?? declarationsIn(file, this.#read(file));
    this.#declarations.set(file, declarations);
    return declarations;
  }
}

/** What a person needs to see to repair a mutant: the line that is most like the text that is gone. */
export function nearest(texts: readonly string[], find: string): string {
  const wanted = new Set(lexemes(find));
  const likeness = (line: string) => {
    const own = new Set(lexemes(line));
    return own.intersection(wanted).size / own.union(wanted).size;
  };
  const lines = texts.flatMap((text) => text.split('\n').map((line) => ({ line, score: likeness(line) })));
  const best = lines
    .reduce((one, other) => (other.score > one.score ? other : one), { line: '', score: 0 })
    .line.trim();
  return best === '' ? 'nothing there is like it' : `the nearest line is: ${best}`;
}

/** Where a declaration has the text. */
function matchesIn(file: string, { name, start, text }: Declaration, pattern: RegExp) {
  return [...text.matchAll(pattern)].map((match) => {
    const begin = start + match.index;
    return { file, target: `${file}:${name}`, start: begin, end: begin + match[0].length };
  });
}

export function declarationsIn(file: string, text: string): Declaration[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const declare = (name: string, node: ts.Node): Declaration => {
    const start = node.getStart(source);
    return { name, start, text: text.slice(start, node.end) };
  };
  return source.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map((one) => declare(one.name.getText(source), statement));
    }
    if (ts.isFunctionDeclaration(statement)) return [declare(statement.name?.text ?? 'default', statement)];
    if (!ts.isClassDeclaration(statement)) return [];
    return statement.members.map((member) => {
      const name = member.name?.getText(source) ?? 'constructor';
      return declare(`${statement.name?.text ?? 'default'}.${name}`, member);
    });
  });
}

/**
 * A pattern that finds a text however it is broken into lines, with comments between its parts, and with or without
 * a comma before a closing bracket.
 */
function patternOf(find: string): RegExp {
  const gap = String.raw`(?:\s|//[^\n]*\n|/\*[^]*?\*/)`;
  const parts = lexemes(find);
  const isWord = (part: string | undefined) => part !== undefined && /^[\w$]/.test(part);
  const isCloser = (part: string | undefined) => part !== undefined && /^[)\]}]/.test(part);
  const pattern = parts.map((part, index) => {
    if (part === ',' && isCloser(parts[index + 1])) return '';
    if (index === 0) return RegExp.escape(part);
    const before = `${gap}${isWord(part) && isWord(parts[index - 1]) ? '+' : '*'}`;
    return `${before}${isCloser(part) ? `,?${gap}*` : ''}${RegExp.escape(part)}`;
  });
  return new RegExp(pattern.join(''), 'g');
}

function lexemes(text: string): string[] {
  return text.match(/[\w$]+|\S/g) ?? [];
}
