/** Tests the response times of other calls while readers of the activity stream do not read (OP-59). */
import { expect, it } from 'vitest';
import { flood } from '../harness/flood.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';
import { deafReader, longestWaits } from './readers.ts';

it('OP-59: eighty readers that read nothing delay no other caller', async () => {
  const sandbox = await testSandbox();
  await flood(sandbox.origin, 1500, async () => {});
  const readers = await Promise.all(Array.from({ length: 80 }, () => deafReader(sandbox.origin)));
  expect((await raw(`${sandbox.urls.sandbox}/activity/stream`)).status).toBe(409);
  const { health } = await longestWaits(sandbox, 10);
  for (const reader of readers) reader.destroy();
  // A busy machine also stays below this limit.
  expect(health).toBeLessThan(5000);
});
