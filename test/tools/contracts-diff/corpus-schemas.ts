/** Changes of schemas. */

import { hosted, object, reply, request, text } from './contracts.ts';
import { additive, breaking, type Case, choice, list, pair } from './corpus-case.ts';

/**
 * Returns cases for a schema that allows less than before. Such a change breaks the sender but not the reader. The
 * opposite applies to the reverse change, and to operations that the client hosts.
 */
function narrowed(name: string, before: unknown, after: unknown): Case[] {
  return [
    pair(`request: ${name}`, request(before), request(after), breaking, additive),
    pair(`reply: ${name}`, reply(before), reply(after), additive, breaking),
    pair(`request to the client: ${name}`, hosted(request(before)), hosted(request(after)), additive, breaking),
    pair(`reply of the client: ${name}`, hosted(reply(before)), hosted(reply(after)), breaking, additive),
  ];
}

const [empty, withText, withRequired] = [object({}), object({ a: text }), object({ a: text }, ['a'])];
const textWith = (more: object) => object({ a: { ...text, ...more } });

/** All schema changes. */
export const schemas: readonly Case[] = [
  ...narrowed('a property became required', object({ a: text }), object({ a: text }, ['a'])),
  ...narrowed('an enum lost a value', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }),
  ...narrowed('an enum of two became a constant', { enum: ['a', 'b'] }, { const: 'a' }),
  ...narrowed('an enum was set', text, { type: 'string', enum: ['a', 'b'] }),
  ...narrowed('null is no longer allowed', { type: ['string', 'null'] }, text),
  ...narrowed('a number became an integer', { type: 'number' }, { type: 'integer' }),
  ...narrowed('a longest length went down', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }),
  ...narrowed('a lowest number was set', { type: 'integer' }, { type: 'integer', minimum: 1 }),
  ...narrowed('a highest number went down', { type: 'integer', maximum: 9 }, { type: 'integer', maximum: 5 }),
  ...narrowed('a pattern was set', text, { type: 'string', pattern: '^a' }),
  ...narrowed('a format was set', text, { type: 'string', format: 'date' }),
  ...narrowed('the items became at most three', list, { ...list, maxItems: 3 }),
  ...narrowed('the items became unique', list, { ...list, uniqueItems: true }),
  ...narrowed('more properties were forbidden', object({}), object({}, [], { additionalProperties: false })),
  ...narrowed('other properties were forbidden', object({}), object({}, [], { unevaluatedProperties: false })),
  ...narrowed('one of two shapes is gone', choice('one', 'two'), choice('one')),
  ...narrowed(
    'a property deep inside lost a value',
    object({ a: object({ b: { enum: [1, 2] } }) }),
    object({ a: object({ b: { enum: [1] } }) }),
  ),
  pair('request: a new optional property', request(empty), request(withText), additive, breaking),
  pair('request: a new required property', request(empty), request(withRequired), breaking, breaking),
  pair('reply: a new optional property', reply(empty), reply(withText), additive, breaking),
  pair('reply: a new property that is always there', reply(empty), reply(withRequired), additive, breaking),
  pair(
    'reply of the client: a new property that must be there',
    hosted(reply(empty)),
    hosted(reply(withRequired)),
    breaking,
    breaking,
  ),
  pair(
    'request to the client: a new property',
    hosted(request(empty)),
    hosted(request(withRequired)),
    additive,
    breaking,
  ),
  pair('request: another constant', request({ const: 'a' }), request({ const: 'b' }), breaking, breaking),
  pair('reply: another type', reply(text), reply({ type: 'integer' }), breaking, breaking),
  pair(
    'request: another default',
    request(textWith({ default: 'x' })),
    request(textWith({ default: 'y' })),
    breaking,
    breaking,
  ),
  pair(
    'request: a property became deprecated',
    request(withText),
    request(textWith({ deprecated: true })),
    additive,
    additive,
  ),
];
