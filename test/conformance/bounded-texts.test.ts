/** Tests strings in a capture that exceed the available memory (OP-90). */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parser, type Token } from 'stream-json/parser.js';
import { expect, it } from 'vitest';
import { boundedTexts, mostOfText } from '../../sandbox/conformance/capture.ts';

async function tokensOf(text: string): Promise<Token[]> {
  const tokens: Token[] = [];
  const unpacked = parser.asStream({ packKeys: false, packStrings: false, streamNumbers: false });
  await pipeline(Readable.from([text]), unpacked, boundedTexts(), async (read: AsyncIterable<Token>) => {
    for await (const token of read) tokens.push(token);
  });
  return tokens;
}

it('keys, texts and other values arrive whole and in order', async () => {
  const value = { '': 'ä"\\\n', 'a\u0000b': ['', 'x'.repeat(1000), -1.5e3, true, null, {}] };
  expect(await tokensOf(JSON.stringify(value))).toEqual([
    { name: 'startObject' },
    { name: 'keyValue', value: '' },
    { name: 'stringValue', value: 'ä"\\\n' },
    { name: 'keyValue', value: 'a\u0000b' },
    { name: 'startArray' },
    { name: 'stringValue', value: '' },
    { name: 'stringValue', value: 'x'.repeat(1000) },
    { name: 'numberValue', value: '-1500' },
    { name: 'trueValue', value: true },
    { name: 'nullValue', value: null },
    { name: 'startObject' },
    { name: 'endObject' },
    { name: 'endArray' },
    { name: 'endObject' },
  ]);
});

it('OP-90: a text and a key are kept up to a bound', async () => {
  const long = 'y'.repeat(2 * mostOfText);
  const kept = long.slice(0, mostOfText);
  expect(await tokensOf(JSON.stringify({ [long]: long }))).toEqual([
    { name: 'startObject' },
    { name: 'keyValue', value: kept },
    { name: 'stringValue', value: kept },
    { name: 'endObject' },
  ]);
});
