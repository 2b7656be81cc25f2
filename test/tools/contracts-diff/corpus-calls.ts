/** Changes of parameters, bodies, replies and headers. */

import { done, hosted, json, query, reply, request, text } from './contracts.ts';
import { additive, breaking, type Case, list, pair } from './corpus-case.ts';

const textToo = { requestBody: { required: true, content: { ...json(text), 'text/plain': { schema: text } } } };

/** Calls that the client receives. Additional data requires no change of the client, but missing data is a loss. */
export const callsToClient: readonly Case[] = [
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

/** Data that callers send and read. */
export const calls: readonly Case[] = [
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
