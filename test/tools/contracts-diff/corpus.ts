/** Pairs of operations that differ in one aspect, and pairs with the same meaning. */

import { done, hosted, type Operation, object, query, reply, request, text } from './contracts.ts';
import { calls, callsToClient } from './corpus-calls.ts';
import { additive, breaking, type Case, choice, documentation, pair } from './corpus-case.ts';
import { schemas } from './corpus-schemas.ts';

const key = { security: [{ key: [] }] };
const both = { security: [{ token: [] }, { key: [] }] };

const servedAt = (...urls: string[]) => ({
  ...query(),
  servers: urls.map((url) => ({ url: `http://localhost:4010/${url}` })),
});

const terms: Case[] = [
  pair('another credential', query(), { ...query(), ...key }, breaking, breaking),
  pair('a credential more', query(), { ...query(), ...both }, additive, breaking),
  pair('two credentials together', query(), { ...query(), security: [{ token: [], key: [] }] }, breaking, additive),
  pair('no credential', query(), { ...query(), security: [] }, additive, breaking),
  pair('a credential that may be left out', query(), { ...query(), security: [{ token: [] }, {}] }, additive, breaking),
  pair('a credential more, sent to the client', hosted(query()), hosted({ ...query(), ...both }), breaking, breaking),
  pair('another host', query(), hosted(query()), breaking, breaking),
  pair('another address', query(), servedAt('other'), breaking, breaking),
  pair('an address more', query(), servedAt('small', 'other'), additive, breaking),
  pair('a deprecated operation', query(), { ...query(), deprecated: true }, additive, additive),
];

/** Creates a case whose change is documentation in both directions. */
function worded(name: string, before: Operation, after: Operation): Case {
  return pair(name, before, after, documentation, documentation);
}

const words: Case[] = [
  worded('a description of the operation', query(), { ...query(), description: 'New.' }),
  worded('another basis', { ...query(), 'x-basis': 'stated A1' }, { ...query(), 'x-basis': 'OP-01' }),
  worded('a tag', { ...query(), tags: ['a'] }, { ...query(), tags: ['b'] }),
  worded('an example of a parameter', query({ name: 'a', example: 'x' }), query({ name: 'a', example: 'y' })),
  worded(
    'a description of a property',
    reply(object({ a: text })),
    reply(object({ a: { ...text, description: 'New.' } })),
  ),
  worded('a description of a reply', { responses: done }, { responses: { 200: { description: 'New.' } } }),
];

/** All cases. */
export const corpus: readonly Case[] = [...schemas, ...calls, ...callsToClient, ...terms, ...words];

/** Pairs of operations with the same meaning. */
export const same: readonly (readonly [name: string, before: Operation, after: Operation])[] = [
  ['values of an enum in another order', reply({ enum: ['a', 'b'] }), reply({ enum: ['b', 'a'] })],
  ['required properties in another order', request(object({}, ['a', 'b'])), request(object({}, ['b', 'a']))],
  ['types in another order', reply({ type: ['string', 'null'] }), reply({ type: ['null', 'string'] })],
  ['shapes in another order', reply(choice('one', 'two')), reply(choice('two', 'one'))],
  ['parameters in another order', query({ name: 'a' }, { name: 'b' }), query({ name: 'b' }, { name: 'a' })],
  ['a constant as an enum of one', reply({ const: 'a' }), reply({ enum: ['a'] })],
  ['the credential of the contract repeated', query(), { ...query(), security: [{ token: [] }] }],
  ['the address of the contract repeated', query(), servedAt('small')],
];
