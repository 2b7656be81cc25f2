/** The short form of readers that take nothing (OP-59). */
import { expect, it } from 'vitest';
import { flood } from '../harness/flood.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';
import { deafReader, served } from './readers.ts';

it('OP-59: eighty readers who take nothing hold up nobody', async () => {
  const sandbox = await testSandbox();
  await flood(sandbox.origin, 1500, async () => {});
  const readers = await Promise.all(Array.from({ length: 80 }, () => deafReader(sandbox.origin)));
  expect((await raw(`${sandbox.urls.sandbox}/activity/stream`)).status).toBe(409);
  // The long form measures; here a bound that a busy machine keeps too.
  const { health } = await served(sandbox, 10);
  for (const reader of readers) reader.destroy();
  expect(health).toBeLessThan(5000);
});
