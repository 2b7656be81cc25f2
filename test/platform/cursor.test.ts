/** Tests the catalogue cursor bit by bit (OP-12). */
import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { readCursor, writeCursor } from '../../sandbox/platform/catalogue.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const position = { after: '000000000050', filter: 'egv', until: 1_000 };
const cursor = writeCursor(position, key);
const read = (text: string) => readCursor(text, key, 'egv', 999);

test('OP-12: a cursor is valid for its own key and filter, to the last millisecond', () => {
  expect(read(cursor)).toEqual(position);
  expect(readCursor(cursor, key, 'egv', 1_000)).toBeUndefined();
  expect(readCursor(cursor, key, 'physical', 999)).toBeUndefined();
  expect(readCursor(cursor, createSecretKey(Buffer.alloc(32, 8)), 'egv', 999)).toBeUndefined();
});

test('OP-12: a cursor keeps its position and its filter, whatever characters the filter has', () => {
  for (const filter of ['history CUST "1"', 'history a\nb', 'history \n', 'history ', '历史 🧾', '.']) {
    const odd = { after: JSON.stringify(['a\nb', '.', null]), filter, until: 1_768_192_200_000 };
    const written = writeCursor(odd, key);
    expect(readCursor(written, key, filter, 0)).toEqual(odd);
    expect(readCursor(written, key, `${filter}\n`, 0)).toBeUndefined();
    expect(readCursor(written, key, filter.slice(1), 0)).toBeUndefined();
  }
});

test('OP-12: a cursor with any one bit changed is invalid', () => {
  const bytes = Buffer.from(cursor, 'latin1');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(read(changed.toString('latin1')), `bit ${bit}`).toBeUndefined();
  }
});

test('OP-12: a cursor that was cut, extended or encoded differently is invalid', () => {
  for (let length = 0; length < cursor.length; length += 1) expect(read(cursor.slice(0, length))).toBeUndefined();
  for (const more of ['A', '=', '.', ' ', '\n', '.A']) expect(read(`${cursor}${more}`), more).toBeUndefined();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const holding = [...alphabet].filter((last) => read(`${cursor.slice(0, -1)}${last}`) !== undefined);
  expect(holding).toEqual([cursor.at(-1)]);
});
