// @ts-check
/** A body as lines, as `JSON.stringify` indents them, each with what it is about. */

/**
 * @typedef {{ kind: 'plain' | 'key' | 'string' | 'masked' | 'number' | 'word', text: string }} Part
 * @typedef {{ pointer: string | undefined, parts: Part[] }} Line Its JSON pointer; a line that only closes has none.
 */

/**
 * @param {unknown} value
 * @returns {readonly Line[]}
 */
export function linesOf(value) {
  /** @type {Line[]} */
  const lines = [];
  write(lines, value, { pointer: '', indent: '', before: [], after: '' });
  return lines;
}

/**
 * @param {Line[]} lines
 * @param {unknown} value
 * @param {{ pointer: string, indent: string, before: readonly Part[], after: string }} at
 */
function write(lines, value, { pointer, indent, before, after }) {
  /** @param {Part} part */
  const put = (part) => lines.push({ pointer, parts: [plain(indent), ...before, part, plain(after)] });
  if (typeof value !== 'object' || value === null) return put({ kind: kindOf(value), text: JSON.stringify(value) });
  const list = Array.isArray(value);
  const [opening, closing] = list ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) return put(plain(opening + closing));
  lines.push({ pointer, parts: [plain(indent), ...before, plain(opening)] });
  for (const [index, [name, child]] of entries.entries()) {
    /** @type {Part[]} */
    const key = list ? [] : [{ kind: 'key', text: JSON.stringify(name) }, plain(': ')];
    const inner = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const comma = index < entries.length - 1 ? ',' : '';
    write(lines, child, { pointer: inner, indent: `${indent}  `, before: key, after: comma });
  }
  return lines.push({ pointer: undefined, parts: [plain(indent + closing + after)] });
}

/** @param {string} text @returns {Part} */
function plain(text) {
  return { kind: 'plain', text };
}

/** @param {unknown} value @returns {Part['kind']} */
function kindOf(value) {
  if (typeof value === 'number') return 'number';
  if (typeof value !== 'string') return 'word';
  return / \(masked\)$/.test(value) || value === 'number (masked)' ? 'masked' : 'string';
}

/**
 * Which findings stand behind which line: that of their pointer, or of the nearest around it that is there.
 * @template {{ pointer: string }} T
 * @param {readonly Line[]} lines
 * @param {readonly T[]} findings Those of another part than the body are left out.
 * @returns {ReadonlyMap<number, readonly T[]>}
 */
export function placed(lines, findings) {
  const places = new Map(lines.map(({ pointer }, at) => [pointer, at]));
  /** @type {Map<number, T[]>} */
  const notes = new Map();
  for (const finding of findings) {
    if (!/^\/body(\/|$)/.test(finding.pointer)) continue;
    let pointer = finding.pointer.slice('/body'.length);
    while (pointer !== '' && !places.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf('/'));
    const at = places.get(pointer) ?? 0;
    notes.set(at, [...(notes.get(at) ?? []), finding]);
  }
  return notes;
}
