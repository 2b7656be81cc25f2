/** Tests the weight of a record, which counts towards a store's size limit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weighRecord } from '../../sandbox/store/row.ts';

const plainName = fc.stringMatching(/^[a-z_]{0,8}$/);
const plainText = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '₹', '😀') });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });

const { record } = fc.letrec((tie) => ({
  value: fc.oneof(plainText, number, fc.integer(), fc.boolean(), fc.constant(null), tie('record'), tie('list')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(plainName, tie('value'), { maxKeys: 4 }),
}));

test('a record weighs as many bytes as its JSON has, also when it was frozen before', () => {
  fc.assert(
    fc.property(record, (value) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect([weighRecord(value, 'a record'), weighRecord(value, 'a record')]).toEqual([bytes, bytes]);
    }),
  );
});

test('a character that JSON escapes counts as it is, and a name counts its characters', () => {
  expect(weighRecord('"\n\u0000', 'a text')).toBe(5);
  expect(weighRecord({ é: 1 }, 'a record')).toBe('{"é":1}'.length);
});
