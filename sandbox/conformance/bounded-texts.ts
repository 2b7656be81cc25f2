import { Transform, type TransformCallback } from 'node:stream';
import type { Token } from 'stream-json/parser.js';
import { mostCheckedBytes } from './decoding.ts';

/** Most characters of a text that are kept. A body in base64 that is cut here is still too large to be checked. */
export const mostOfText = 2 * mostCheckedBytes;

/**
 * Joins the pieces of texts and keys that a parser emits with `packKeys` and `packStrings` off, and cuts each at
 * `mostOfText` characters: one text of a capture may be larger than the memory.
 */
export function boundedTexts(): Transform {
  let text = '';
  const transform = (token: Token, _encoding: string, done: TransformCallback) => {
    switch (token.name) {
      case 'startKey':
      case 'startString':
        text = '';
        return done();
      case 'stringChunk':
        text += token.value.slice(0, mostOfText - text.length);
        return done();
      case 'endKey':
        return done(null, { name: 'keyValue', value: text });
      case 'endString':
        return done(null, { name: 'stringValue', value: text });
      default:
        return done(null, token);
    }
  };
  return new Transform({ objectMode: true, transform });
}
