/** Reads and validates the operator's YAML files. Messages contain the line and the column. */
import { readFileSync } from 'node:fs';
import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import type { InputProblem } from '../certification/input.ts';
import { type Answers, answersProblems } from '../conformance/answers.ts';
import { cut } from '../conformance/finding.ts';

/** An error for a file or an option that cannot be used. The message is for the user. For a file, it contains the line. */
export class InputError extends Error {
  /** The message, one problem per line. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Maximum size of a file, in bytes. */
const mostBytes = 256 * 1024;

/** Maximum number of aliases in a file. Resolving each one requires a walk over the document. */
const mostAliases = 100;

/**
 * Reads a file and validates its value. Throws an `InputError` if it cannot be read, is not YAML, or is invalid.
 *
 * @param problemsOf returns all problems of a value; empty if it is a `T`
 */
export function readYaml<T>(file: string, problemsOf: (value: unknown) => readonly InputProblem[]): T {
  const lines = new LineCounter();
  // The library's own check compares each key with all others of its map, which is slow.
  const document = parseDocument(textOf(file), { lineCounter: lines, uniqueKeys: false });
  const read = readDocument(document);
  if ('problem' in read) {
    const { line, col } = lines.linePos(read.at);
    throw new InputError(`${file}:${line}:${col}: ${read.problem}`);
  }
  const { value } = read;
  const found = problemsOf(value);
  if (found.length === 0) return value as T;
  const messages = found.slice(0, 10).map(({ where, problem }) => {
    const { line, col } = lines.linePos(offsetOf(document.contents, where));
    const field = where === '' ? 'the file' : cut(where.slice(1).replaceAll('/', '.'));
    return `${file}:${line}:${col}: ${field} ${problem}`;
  });
  throw new InputError(...messages);
}

/** Reads answers to open points. Throws an `InputError` with the position of each mistake. */
export function readAnswers(file: string): Answers {
  return readYaml<Answers>(file, answersProblems);
}

/** A problem in a document, and its offset. */
interface Problem {
  readonly at: number;
  readonly problem: string;
}

/** Returns the value of a document, or a problem if it has duplicate keys or too many aliases. */
function readDocument(document: Document.Parsed): Problem | { readonly value: unknown } {
  const [broken] = document.errors;
  if (broken !== undefined) {
    const [said = ''] = broken.message.split(/ at line |\n/);
    return {
      at: broken.pos[0],
      problem: said.startsWith('Maximum call stack') ? 'The file is nested too deeply.' : said,
    };
  }
  const aliases: Node[] = [];
  let repeated: Scalar | undefined;
  visit(document, {
    Alias: (_, alias) => void aliases.push(alias),
    Map(_, { items }) {
      repeated = repeatedKey(items);
      return repeated && visit.BREAK;
    },
  });
  if (repeated !== undefined)
    return problemAt(repeated, `The key ${cut(String(repeated.value))} occurs twice in a map. Remove one of them.`);
  const beyond = aliases[mostAliases];
  if (beyond !== undefined)
    return problemAt(beyond, `The file has more than ${mostAliases} aliases. Write the values out.`);
  try {
    return { value: document.toJS({ maxAliasCount: mostAliases }) };
  } catch {
    const problem = 'An alias refers to itself, or the aliases expand to too many values. Write the values out.';
    return problemAt(aliases[0], problem);
  }
}

function problemAt(node: Node | undefined, problem: string): Problem {
  return { at: node?.range?.[0] ?? 0, problem };
}

/** Returns the first duplicate key of a map; `undefined` if there is none. */
function repeatedKey(items: readonly Pair[]): Scalar | undefined {
  const names = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (names.has(key.value)) return key;
    names.add(key.value);
  }
  return undefined;
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > mostBytes) throw new InputError(`${file} is larger than ${mostBytes} bytes.`);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

/**
 * Returns the offset of the value at a JSON pointer, or of its key if it is a field. If the document does not contain
 * it, returns the offset of the nearest ancestor.
 */
function offsetOf(root: ParsedNode | null, pointer: string): number {
  let node: Node | null = root;
  let at = root?.range[0] ?? 0;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === name) : undefined;
    const next =
      pair === undefined
        ? (node as { get?(key: string, keep: true): Node | undefined })?.get?.(name, true)
        : (pair.value as Node | null);
    at = (pair?.key as Node | undefined)?.range?.[0] ?? next?.range?.[0] ?? at;
    node = next ?? null;
  }
  return at;
}
