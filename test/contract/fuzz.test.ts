/**
 * Thousands of generated requests to every operation of every contract: as the contract says, and spoiled in one place. No reply
 * is a failure of the server, each is documented where it was given, and what is refused has no effect. A run follows from its
 * seed; what fails is shown as a curl.
 */
import { expect, it } from 'vitest';
import { fuzz, served, type Tally } from './fuzz/run.ts';

const seeds = ['1', '2', '3'];
const requests = 1850;
const tally: Tally = new Map();

it.each(seeds)(
  'every reply is documented, and a refusal has no effect: seed %s',
  { timeout: 120_000 },
  async (seed) => {
    await fuzz(seed, requests, tally);
  },
);

it('every operation was both carried out and, where it can be, refused', () => {
  const answered = served.filter(({ operation }) => (tally.get(operation.operationId)?.answered ?? 0) > 0);
  const refused = served.filter(({ operation }) => (tally.get(operation.operationId)?.refused ?? 0) > 0);
  const ids = (operations: typeof served) => operations.map(({ operation }) => operation.operationId);
  expect(ids(answered)).toEqual(ids(served));
  const refusable = served.filter(
    ({ operation }) => operation.body || operation.parameters.length || operation.security.length,
  );
  expect(ids(refused)).toEqual(expect.arrayContaining(ids(refusable)));
});
