/** Changes of parameters, bodies, replies and headers. */

import { done, hosted, json, type Operation, query, reply, request, text } from './contracts.ts';
import { additive, breaking, type Case, list, pair } from './corpus-case.ts';

const nothing = { responses: done };
const optionalBody = { requestBody: { content: json(text) }, responses: done };
const textOrJson = { ...json(text), 'text/plain': { schema: text } };
const textToo = { requestBody: { required: true, content: textOrJson } };
const a = { name: 'a' };
const ofSchema = (schema: object) => query({ ...a, schema });
const withStatus = (status: number) => ({ responses: { ...done, [status]: { description: 'Another.' } } });
const plain = { schema: text };
const always = { required: true, schema: text };
const withHeaders = (headers: object) => reply(text, { headers });

/** Creates a case of a call that the client receives. */
function toClient(name: string, before: Operation, after: Operation, rating: Case['rating'], reverse: Case['rating']) {
  return pair(`to the client: ${name}`, hosted(before), hosted(after), rating, reverse);
}

/** Calls that the client receives. Additional data requires no change of the client, but missing data is a loss. */
export const callsToClient: readonly Case[] = [
  toClient('a parameter', query(), query(a), additive, breaking),
  toClient('a parameter that is always there', query(), query({ ...a, required: true }), additive, breaking),
  toClient('a parameter is always there', query(a), query({ ...a, required: true }), additive, breaking),
  toClient('a parameter with one value more', ofSchema({ enum: [1] }), ofSchema({ enum: [1, 2] }), breaking, additive),
  toClient('a parameter at another place', query(a), query({ ...a, in: 'header' }), breaking, breaking),
  toClient(
    'a parameter in another form',
    ofSchema(list),
    query({ ...a, schema: list, explode: false }),
    breaking,
    breaking,
  ),
  toClient('a parameter with another default', ofSchema({ default: 1 }), ofSchema({ default: 2 }), additive, additive),
  toClient('a body', nothing, request(text), additive, breaking),
  toClient('a body is always there', optionalBody, request(text), additive, breaking),
  toClient('another media type', request(text), { ...request(text), ...textToo }, breaking, breaking),
  toClient('another refusal of the client', nothing, withStatus(409), additive, breaking),
  toClient('a reply with a body', nothing, reply(text), breaking, breaking),
  toClient('a reply with a header', reply(text), withHeaders({ A: always }), breaking, additive),
];

/** Data that callers send and read. */
export const calls: readonly Case[] = [
  pair('an optional parameter', query(), query(a), additive, breaking),
  pair('a required parameter', query(), query({ ...a, required: true }), breaking, breaking),
  pair('a parameter became required', query(a), query({ ...a, required: true }), breaking, additive),
  pair('a parameter of another type', query(a), ofSchema({ type: 'integer' }), breaking, breaking),
  pair('a parameter with one value less', ofSchema({ enum: [1, 2] }), ofSchema({ enum: [1] }), breaking, additive),
  pair('a parameter with a higher bound', ofSchema({ maximum: 5 }), ofSchema({ maximum: 9 }), additive, breaking),
  pair('a parameter at another place', query(a), query({ ...a, in: 'header' }), breaking, breaking),
  pair('a parameter with another default', ofSchema({ default: 1 }), ofSchema({ default: 2 }), breaking, breaking),
  pair('an optional body', nothing, optionalBody, additive, breaking),
  pair('a required body', nothing, request(text), breaking, breaking),
  pair('a body became required', optionalBody, request(text), breaking, additive),
  pair('another media type of a request', request(text), { ...request(text), ...textToo }, additive, breaking),
  pair(
    'another media type of a reply',
    reply(text),
    { responses: { 200: { description: 'Done.', content: textOrJson } } },
    additive,
    breaking,
  ),
  pair('another refusal', nothing, withStatus(409), additive, breaking),
  pair('another success', nothing, withStatus(202), additive, breaking),
  pair('a header', withHeaders({ A: plain }), withHeaders({ A: plain, B: plain }), additive, breaking),
  pair('a header that is always there', withHeaders({ A: plain }), withHeaders({ A: always }), additive, breaking),
  toClient(
    'a header that the client must send',
    withHeaders({ A: plain }),
    withHeaders({ A: always }),
    breaking,
    additive,
  ),
  pair(
    'a header of another type',
    withHeaders({ A: plain }),
    withHeaders({ A: { schema: { type: 'integer' } } }),
    breaking,
    breaking,
  ),
];
