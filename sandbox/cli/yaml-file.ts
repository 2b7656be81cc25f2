/** Reads YAML files of the operator and validates them against a schema. Messages name the line. */
import { readFileSync } from 'node:fs';
import { isMap, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import { type NamedSchemas, schemaFindings } from '../certification/input.ts';

/** A file cannot be used. The message names file and line, and what to do. */
export class FileError extends Error {
  /** The message, one finding a line. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Most bytes of such a file. */
const mostBytes = 1024 * 1024;

/**
 * Reads a file and validates it against the named schema. Throws a FileError if it cannot be read, is not YAML, or does
 * not match the schema.
 */
export function readYaml<T>(file: string, schemas: NamedSchemas, name: string): T {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines, uniqueKeys: true });
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new FileError(`${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message.split('\n')[0]}`);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const found = schemaFindings(schemas, name, value);
  if (found.length === 0) return value as T;
  const messages = found.slice(0, 10).map(({ where, problem }) => {
    const at = offsetOf(document.contents, where);
    return `${file}:${lines.linePos(at).line}: ${where === '' ? 'the file' : where.slice(1).replaceAll('/', '.')} ${problem.replace('is not part of the contract', 'is not a field of this file')}`;
  });
  throw new FileError(...messages);
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > mostBytes) throw new FileError(`${file} is larger than ${mostBytes} bytes.`);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Where the value at a JSON pointer begins, or its key where it is a field; as near as the document has it. */
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
