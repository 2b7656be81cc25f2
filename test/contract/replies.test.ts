/** What becomes of a reply that breaks its contract, and of one that keeps it. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { HandlerAnswer } from '../../sandbox/contract/types.ts';
import { getLamp, lamp, type Make, type Workshop, workshop } from './lamps.ts';

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

test('a reply that keeps the contract goes out as it is', async () => {
  const answer = { status: 200, body: { id: 'a', lit: true }, violations: [], errors: [] };
  expect(await getLamp(lamp)).toEqual(answer);
});

test('a handler is given the party that hosts its API, and the call', async () => {
  const given: unknown[] = [];
  const asking: Make = async (party: Workshop, { path }: { path: unknown }) => {
    given.push(party, path);
    return lamp();
  };
  expect(await getLamp(asking)).toMatchObject({ status: 200 });
  expect(given).toEqual([workshop, { id: 'a' }]);
  expect(given[0]).toBe(workshop);
});

test.each<[what: string, answer: HandlerAnswer, found: ReturnType<typeof broken>]>([
  ['a body without a field', { status: 200, body: { id: 'a' } }, broken(200, '/lit', 'is required')],
  [
    'a body with a field too many',
    { status: 200, body: { id: 'a', lit: true, watts: 60 } },
    broken(200, '/watts', 'is not part of the contract'),
  ],
  ['a field of another type', { status: 200, body: { id: 'a', lit: 'yes' } }, broken(200, '/lit', 'must be boolean')],
  ['no body where one must be', { status: 200 }, broken(200, '', 'must be object')],
  ['a body where none may be', { status: 204, body: {} }, broken(204, '', 'a body is not documented under 204')],
  [
    'a stream where a body must be',
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
])('%s is reported, and the caller gets the internal error', async (_, answer, found) => {
  expect(await getLamp(async () => answer)).toEqual(found);
});

test('a handler that throws is reported, and the caller learns nothing of it', async () => {
  const error = new Error('the filament broke');
  const failing: Make = async () => {
    throw error;
  };
  expect(await getLamp(failing)).toEqual({ ...internalError, violations: [], errors: [['getLamp', error]] });
});

test('a kept reply that breaks its contract fails the transaction that it is kept in, so that nothing is written', async () => {
  const written: string[] = [];
  const keeping: Make = async (_: Workshop, { keep }: { keep(tx: unknown, answer: HandlerAnswer): HandlerAnswer }) => {
    const answer = keep({}, { status: 200, body: { id: 'a' } });
    written.push('the effect');
    return answer;
  };
  const error = new Error('the response violates its contract');
  expect(await getLamp(keeping)).toEqual({ ...broken(200, '/lit', 'is required'), errors: [['getLamp', error]] });
  expect(written).toEqual([]);
});

test('a documented failure goes out in the envelope', async () => {
  expect(await getLamp(async () => ({ kind: 'not_found' }))).toEqual({
    status: 404,
    body: { name: 'Not Found', message: 'Not found', code: 44, status: 404, type: 'NotFoundHttpException' },
    violations: [],
    errors: [],
  });
});
