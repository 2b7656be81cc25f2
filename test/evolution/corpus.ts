/** Pairs of operations that differ in one thing, with the rating of that change and of its reverse. */
import type { Rating } from '../../openapi/evolution/change.ts';
import { done, hosted, json, type Operation, object, query, reply, request, text } from './contracts.ts';

export interface Case {
  readonly name: string;
  readonly before: Operation;
  readonly after: Operation;
  readonly rating: Rating;
  /** The rating of the way back. */
  readonly reverse: Rating;
}

const [breaking, additive, documentation] = ['breaking', 'additive', 'documentation'] as const;

function pair(name: string, before: Operation, after: Operation, rating: Rating, reverse: Rating): Case {
  return { name, before, after, rating, reverse };
}

/**
 * A schema that came to allow less: it breaks who sends, and whoever reads is fine. The other way round for the way back,
 * and for operations that the client hosts, where requests are read and replies sent.
 */
function narrowed(name: string, before: unknown, after: unknown): Case[] {
  return [
    pair(`request: ${name}`, request(before), request(after), breaking, additive),
    pair(`reply: ${name}`, reply(before), reply(after), additive, breaking),
    pair(`request to the client: ${name}`, hosted(request(before)), hosted(request(after)), additive, breaking),
    pair(`reply of the client: ${name}`, hosted(reply(before)), hosted(reply(after)), breaking, additive),
  ];
}

const list = { type: 'array', items: text };
const choice = (...kinds: string[]) => ({ oneOf: kinds.map((kind) => object({ kind: { const: kind } })) });

const schemas: Case[] = [
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
  pair('request: a new optional property', request(object({})), request(object({ a: text })), additive, breaking),
  pair(
    'request: a new required property',
    request(object({})),
    request(object({ a: text }, ['a'])),
    breaking,
    breaking,
  ),
  pair('reply: a new optional property', reply(object({})), reply(object({ a: text })), additive, breaking),
  pair(
    'reply: a new property that is always there',
    reply(object({})),
    reply(object({ a: text }, ['a'])),
    additive,
    breaking,
  ),
  pair(
    'reply of the client: a new property that must be there',
    hosted(reply(object({}))),
    hosted(reply(object({ a: text }, ['a']))),
    breaking,
    breaking,
  ),
  pair(
    'request to the client: a new property',
    hosted(request(object({}))),
    hosted(request(object({ a: text }, ['a']))),
    additive,
    breaking,
  ),
  pair('request: another constant', request({ const: 'a' }), request({ const: 'b' }), breaking, breaking),
  pair('reply: another type', reply(text), reply({ type: 'integer' }), breaking, breaking),
  pair(
    'request: another default',
    request(object({ a: { ...text, default: 'x' } })),
    request(object({ a: { ...text, default: 'y' } })),
    breaking,
    breaking,
  ),
  pair(
    'request: a property became deprecated',
    request(object({ a: text })),
    request(object({ a: { ...text, deprecated: true } })),
    additive,
    additive,
  ),
];

const textToo = { requestBody: { required: true, content: { ...json(text), 'text/plain': { schema: text } } } };

/** What the client reads: a call that carries more asks nothing of it, one that carries less takes something away. */
const callsToClient: Case[] = [
  pair('to the client: a parameter', hosted(query()), hosted(query({ name: 'a' })), additive, breaking),
  pair(
    'to the client: a parameter that is always there',
    hosted(query()),
    hosted(query({ name: 'a', required: true })),
    additive,
    breaking,
  ),
  pair(
    'to the client: a parameter is always there',
    hosted(query({ name: 'a' })),
    hosted(query({ name: 'a', required: true })),
    additive,
    breaking,
  ),
  pair(
    'to the client: a parameter with one value more',
    hosted(query({ name: 'a', schema: { enum: [1] } })),
    hosted(query({ name: 'a', schema: { enum: [1, 2] } })),
    breaking,
    additive,
  ),
  pair(
    'to the client: a parameter at another place',
    hosted(query({ name: 'a' })),
    hosted(query({ name: 'a', in: 'header' })),
    breaking,
    breaking,
  ),
  pair(
    'to the client: a parameter in another form',
    hosted(query({ name: 'a', schema: list })),
    hosted(query({ name: 'a', schema: list, explode: false })),
    breaking,
    breaking,
  ),
  pair(
    'to the client: a parameter with another default',
    hosted(query({ name: 'a', schema: { default: 1 } })),
    hosted(query({ name: 'a', schema: { default: 2 } })),
    additive,
    additive,
  ),
  pair('to the client: a body', hosted({ responses: done }), hosted(request(text)), additive, breaking),
  pair(
    'to the client: a body is always there',
    hosted({ requestBody: { content: json(text) }, responses: done }),
    hosted(request(text)),
    additive,
    breaking,
  ),
  pair(
    'to the client: another media type',
    hosted(request(text)),
    hosted({ ...request(text), ...textToo }),
    breaking,
    breaking,
  ),
  pair(
    'to the client: another refusal of the client',
    hosted({ responses: done }),
    hosted({ responses: { ...done, 409: { description: 'Not now.' } } }),
    additive,
    breaking,
  ),
  pair('to the client: a reply with a body', hosted({ responses: done }), hosted(reply(text)), breaking, breaking),
  pair(
    'to the client: a reply with a header',
    hosted(reply(text)),
    hosted(reply(text, { headers: { A: { required: true, schema: text } } })),
    breaking,
    additive,
  ),
];

const calls: Case[] = [
  pair('an optional parameter', query(), query({ name: 'a' }), additive, breaking),
  pair('a required parameter', query(), query({ name: 'a', required: true }), breaking, breaking),
  pair('a parameter became required', query({ name: 'a' }), query({ name: 'a', required: true }), breaking, additive),
  pair(
    'a parameter of another type',
    query({ name: 'a' }),
    query({ name: 'a', schema: { type: 'integer' } }),
    breaking,
    breaking,
  ),
  pair(
    'a parameter with one value less',
    query({ name: 'a', schema: { enum: [1, 2] } }),
    query({ name: 'a', schema: { enum: [1] } }),
    breaking,
    additive,
  ),
  pair(
    'a parameter with a higher bound',
    query({ name: 'a', schema: { maximum: 5 } }),
    query({ name: 'a', schema: { maximum: 9 } }),
    additive,
    breaking,
  ),
  pair('a parameter at another place', query({ name: 'a' }), query({ name: 'a', in: 'header' }), breaking, breaking),
  pair(
    'a parameter with another default',
    query({ name: 'a', schema: { default: 1 } }),
    query({ name: 'a', schema: { default: 2 } }),
    breaking,
    breaking,
  ),
  pair(
    'an optional body',
    { responses: done },
    { requestBody: { content: json(text) }, responses: done },
    additive,
    breaking,
  ),
  pair('a required body', { responses: done }, request(text), breaking, breaking),
  pair(
    'a body became required',
    { requestBody: { content: json(text) }, responses: done },
    request(text),
    breaking,
    additive,
  ),
  pair(
    'another media type of a request',
    request(text),
    { ...request(text), requestBody: { required: true, content: { ...json(text), 'text/plain': { schema: text } } } },
    additive,
    breaking,
  ),
  pair(
    'another media type of a reply',
    reply(text),
    { responses: { 200: { description: 'Done.', content: { ...json(text), 'text/plain': { schema: text } } } } },
    additive,
    breaking,
  ),
  pair(
    'another refusal',
    { responses: done },
    { responses: { ...done, 409: { description: 'Not now.' } } },
    additive,
    breaking,
  ),
  pair(
    'another success',
    { responses: done },
    { responses: { ...done, 202: { description: 'Later.' } } },
    additive,
    breaking,
  ),
  pair(
    'a header',
    reply(text, { headers: { A: { schema: text } } }),
    reply(text, { headers: { A: { schema: text }, B: { schema: text } } }),
    additive,
    breaking,
  ),
  pair(
    'a header that is always there',
    reply(text, { headers: { A: { schema: text } } }),
    reply(text, { headers: { A: { required: true, schema: text } } }),
    additive,
    breaking,
  ),
  pair(
    'a header that the client must send',
    hosted(reply(text, { headers: { A: { schema: text } } })),
    hosted(reply(text, { headers: { A: { required: true, schema: text } } })),
    breaking,
    additive,
  ),
  pair(
    'a header of another type',
    reply(text, { headers: { A: { schema: text } } }),
    reply(text, { headers: { A: { schema: { type: 'integer' } } } }),
    breaking,
    breaking,
  ),
];

const key = { security: [{ key: [] }] };
const both = { security: [{ token: [] }, { key: [] }] };

const terms: Case[] = [
  pair('another credential', query(), { ...query(), ...key }, breaking, breaking),
  pair('a credential more', query(), { ...query(), ...both }, additive, breaking),
  pair('two credentials at once', query(), { ...query(), security: [{ token: [], key: [] }] }, breaking, additive),
  pair('no credential', query(), { ...query(), security: [] }, additive, breaking),
  pair('a credential that may be left out', query(), { ...query(), security: [{ token: [] }, {}] }, additive, breaking),
  pair('a credential more, sent to the client', hosted(query()), hosted({ ...query(), ...both }), breaking, breaking),
  pair('another host', query(), hosted(query()), breaking, breaking),
  pair(
    'another address',
    query(),
    { ...query(), servers: [{ url: 'http://localhost:4010/other' }] },
    breaking,
    breaking,
  ),
  pair(
    'an address more',
    query(),
    { ...query(), servers: [{ url: 'http://localhost:4010/small' }, { url: 'http://localhost:4010/other' }] },
    additive,
    breaking,
  ),
  pair('a deprecated operation', query(), { ...query(), deprecated: true }, additive, additive),
];

const words: Case[] = [
  pair('a description of the operation', query(), { ...query(), description: 'New.' }, documentation, documentation),
  pair(
    'another basis',
    { ...query(), 'x-basis': 'stated' },
    { ...query(), 'x-basis': 'OP-01' },
    documentation,
    documentation,
  ),
  pair('a tag', { ...query(), tags: ['a'] }, { ...query(), tags: ['b'] }, documentation, documentation),
  pair(
    'an example of a parameter',
    query({ name: 'a', example: 'x' }),
    query({ name: 'a', example: 'y' }),
    documentation,
    documentation,
  ),
  pair(
    'a description of a property',
    reply(object({ a: text })),
    reply(object({ a: { ...text, description: 'New.' } })),
    documentation,
    documentation,
  ),
  pair(
    'a description of a reply',
    { responses: done },
    { responses: { 200: { description: 'New.' } } },
    documentation,
    documentation,
  ),
];

/** Every case. */
export const corpus: readonly Case[] = [...schemas, ...calls, ...callsToClient, ...terms, ...words];

/** Pairs that say the same. */
export const same: readonly (readonly [name: string, before: Operation, after: Operation])[] = [
  ['values of an enum in another order', reply({ enum: ['a', 'b'] }), reply({ enum: ['b', 'a'] })],
  ['required properties in another order', request(object({}, ['a', 'b'])), request(object({}, ['b', 'a']))],
  ['types in another order', reply({ type: ['string', 'null'] }), reply({ type: ['null', 'string'] })],
  ['shapes in another order', reply(choice('one', 'two')), reply(choice('two', 'one'))],
  ['parameters in another order', query({ name: 'a' }, { name: 'b' }), query({ name: 'b' }, { name: 'a' })],
  ['a constant as an enum of one', reply({ const: 'a' }), reply({ enum: ['a'] })],
  ['the credential of the contract said again', query(), { ...query(), security: [{ token: [] }] }],
  [
    'the address of the contract said again',
    query(),
    { ...query(), servers: [{ url: 'http://localhost:4010/small' }] },
  ],
];
