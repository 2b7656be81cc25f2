/** The short form of the test of readers that read nothing (OP-59). */
import { expect, it } from 'vitest';
import { flood } from '../harness/flood.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';
import { deafReader, longestWaits } from './readers.ts';

it('OP-59: eighty readers that read nothing delay no other caller', async () => {
  const sandbox = await testSandbox();
  await flood(sandbox.origin, 1500, async () => {});
  const readers = await Promise.all(Array.from({ length: 80 }, () => deafReader(sandbox.origin)));
  expect((await raw(`${sandbox.urls.sandbox}/activity/stream`)).status).toBe(409);
  // The long form measures; this bound also holds on a busy machine.
  const { health } = await longestWaits(sandbox, 10);
  for (const reader of readers) reader.destroy();
  expect(health).toBeLessThan(5000);
});
