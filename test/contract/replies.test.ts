/** Tests replies that violate their contract, and replies that comply. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { HandlerAnswer } from '../../sandbox/contract/types.ts';
import { flat } from '../harness/envelopes.ts';
import { getLamp, type Handler, lamp, type Workshop, workshop } from './lamps.ts';

const internalError = {
  status: 500,
  body: {
    name: 'Internal Server Error',
    message: 'Internal error',
    code: 64,
    status: 500,
    type: 'ServerErrorHttpException',
  },
};
const broken = (status: number, where: string, problem: string) => ({
  ...internalError,
  violations: [{ operationId: 'getLamp', status, where, problem }],
  errors: [],
});

test('a reply that keeps the contract is sent unchanged', async () => {
  const answer = { status: 200, body: { id: 'a', lit: true }, violations: [], errors: [] };
  expect(await getLamp(lamp)).toEqual(answer);
});

test('a handler receives the party that hosts its API, and the call', async () => {
  const handlerArguments: unknown[] = [];
  const recordArguments: Handler = async (party: Workshop, { path }: { path: unknown }) => {
    handlerArguments.push(party, path);
    return lamp();
  };
  expect(await getLamp(recordArguments)).toMatchObject({ status: 200 });
  expect(handlerArguments).toEqual([workshop, { id: 'a' }]);
  expect(handlerArguments[0]).toBe(workshop);
});

test.each<[what: string, answer: HandlerAnswer, expected: ReturnType<typeof broken>]>([
  ['a body without a field', { status: 200, body: { id: 'a' } }, broken(200, '/lit', 'is required')],
  [
    'a body with an extra field',
    { status: 200, body: { id: 'a', lit: true, watts: 60 } },
    broken(200, '/watts', 'is an unknown field; known: `id`, `lit`'),
  ],
  ['a field of another type', { status: 200, body: { id: 'a', lit: 'yes' } }, broken(200, '/lit', 'must be a boolean')],
  ['no body where one is required', { status: 200 }, broken(200, '', 'must be an object')],
  ['a body where none is documented', { status: 204, body: {} }, broken(204, '', 'a body is not documented under 204')],
  [
    'a stream where a body is required',
    { status: 200, stream: new Readable() },
    broken(200, '', 'a stream is not documented under 200'),
  ],
  ['an undocumented status', { status: 201, body: {} }, broken(201, '', 'status 201 is not documented')],
  [
    'a failure whose status is not documented',
    { kind: 'idempotency_conflict' },
    broken(409, '', 'status 409 is not documented'),
  ],
  [
    'a failure that is not documented, under a status that is',
    { kind: 'invalid_cursor' },
    broken(400, '', 'the error invalid_cursor is not documented under 400'),
  ],
])('%s is reported, and the caller gets the internal error', async (_, answer, expected) => {
  expect(await getLamp(async () => answer)).toEqual(expected);
});

test('an error that a handler throws is reported, and not shown to the caller', async () => {
  const error = new Error('the filament broke');
  const failing: Handler = async () => {
    throw error;
  };
  expect(await getLamp(failing)).toEqual({ ...internalError, violations: [], errors: [['getLamp', error]] });
});

test('a stored reply that violates its contract fails its transaction, so that nothing is written', async () => {
  const effects: string[] = [];
  const storeReply: Handler = async (
    _: Workshop,
    { keep }: { keep(tx: unknown, answer: HandlerAnswer): HandlerAnswer },
  ) => {
    const answer = keep({}, { status: 200, body: { id: 'a' } });
    effects.push('the effect');
    return answer;
  };
  const error = new Error('the response violates its contract');
  expect(await getLamp(storeReply)).toEqual({ ...broken(200, '/lit', 'is required'), errors: [['getLamp', error]] });
  expect(effects).toEqual([]);
});

test('a documented failure goes out in the envelope', async () => {
  const answer = await getLamp(async () => ({ kind: 'not_found' }));
  expect(answer).toEqual({ ...flat(404, 44, 'Not found'), violations: [], errors: [] });
});
