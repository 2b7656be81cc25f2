/** Tests which characters of untrusted text reach a terminal (OP-90). */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { countWriteFailures, letReadersLeave, printable, writeLines } from '../../sandbox/runtime/terminal.ts';

test.each([
  ['an escape sequence', '\u001b[2Jx', '\\u001b[2Jx'],
  ['a control of C1', '\u009b31mx', '\\u009b31mx'],
  ['DEL, NUL, a bell and a backspace', '\u007f\u0000\u0007\b', '\\u007f\\u0000\\u0007\\u0008'],
  ['a line of its own', 'a\r\nerror: b\u2028c', 'a\\u000d\\u000aerror: b\\u2028c'],
  ['characters that reverse the text', '\u202eabc\u2066\u200f\u061c', '\\u202eabc\\u2066\\u200f\\u061c'],
  ['invisible characters', 'a\u200bb\u00ad\ufeff\u{e0041}', 'a\\u200bb\\u00ad\\ufeff\\udb40\\udc41'],
  ['anything else', 'Jörg ∑ 😀 \\ "x"', 'Jörg ∑ 😀 \\ "x"'],
])('%s is printed, not acted on', (_, text, output) => {
  expect(printable(text)).toBe(output);
});

test('JSON stays the same JSON', () => {
  const value = { text: '\u001b\u007f\u009b\u202e\u{e0041}\n' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

test('a line that is written stays one line', () => {
  const stream = new PassThrough();
  writeLines(stream, 'a\nb', '  c\u001b[2J');
  expect(String(stream.read())).toBe('a\\u000ab\n  c\\u001b[2J\n');
});

const diskFull = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const readerGone = Object.assign(new Error('broken pipe'), { code: 'EPIPE' });

test('a command continues without a reader and without its messages, and fails if its data cannot be written', () => {
  const [data, messages] = [new PassThrough(), new PassThrough()];
  letReadersLeave(data, messages);
  for (const error of [diskFull, readerGone]) messages.emit('error', error);
  data.emit('error', readerGone);
  expect(() => data.emit('error', diskFull)).toThrow(diskFull);
});

test('a server counts failed writes', () => {
  const [data, messages] = [new PassThrough(), new PassThrough()];
  const failures = countWriteFailures(data, messages);
  data.emit('error', diskFull);
  messages.emit('error', readerGone);
  expect(failures()).toBe(2);
});
