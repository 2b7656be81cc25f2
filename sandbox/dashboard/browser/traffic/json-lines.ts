/** Splits a body into lines, indented like `JSON.stringify`, each with its JSON pointer. */

export type Part = { kind: 'plain' | 'key' | 'string' | 'masked' | 'number' | 'word'; text: string };
/** A line with its JSON pointer; `undefined` for a closing bracket. */
type Line = { pointer: string | undefined; parts: Part[] };

/** Returns the lines of a body, each in parts that have a colour. */
export function linesOf(value: unknown): readonly Line[] {
  const lines: Line[] = [];
  write(lines, value, { pointer: '', indent: '', before: [], after: '' });
  return lines;
}

function write(
  lines: Line[],
  value: unknown,
  { pointer, indent, before, after }: { pointer: string; indent: string; before: readonly Part[]; after: string },
) {
  const put = (part: Part) => lines.push({ pointer, parts: [plain(indent), ...before, part, plain(after)] });
  if (typeof value !== 'object' || value === null) return put({ kind: kindOf(value), text: JSON.stringify(value) });
  const list = Array.isArray(value);
  const [opening, closing] = list ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) return put(plain(opening + closing));
  lines.push({ pointer, parts: [plain(indent), ...before, plain(opening)] });
  for (const [index, [name, child]] of entries.entries()) {
    const key: Part[] = list ? [] : [{ kind: 'key', text: JSON.stringify(name) }, plain(': ')];
    const inner = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const comma = index < entries.length - 1 ? ',' : '';
    write(lines, child, { pointer: inner, indent: `${indent}  `, before: key, after: comma });
  }
  return lines.push({ pointer: undefined, parts: [plain(indent + closing + after)] });
}

function plain(text: string): Part {
  return { kind: 'plain', text };
}

function kindOf(value: unknown): Part['kind'] {
  if (typeof value === 'number') return 'number';
  if (typeof value !== 'string') return 'word';
  return / \(masked\)$/.test(value) || value === 'number (masked)' ? 'masked' : 'string';
}

/** Assigns findings to lines: to the line of their pointer, or of its nearest existing ancestor. Findings outside the body are omitted. */
export function placed<T extends { pointer: string }>(lines: readonly Line[], findings: readonly T[]) {
  const places = new Map(lines.map(({ pointer }, at) => [pointer, at]));
  const notes = new Map<number, T[]>();
  for (const finding of findings) {
    if (!/^\/body(\/|$)/.test(finding.pointer)) continue;
    let pointer = finding.pointer.slice('/body'.length);
    while (pointer !== '' && !places.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf('/'));
    const at = places.get(pointer) ?? 0;
    notes.set(at, [...(notes.get(at) ?? []), finding]);
  }
  return notes;
}
