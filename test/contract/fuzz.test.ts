/**
 * Sends generated requests to every operation of every contract, some valid and some corrupted in one part. No reply may be a server
 * failure, or undocumented for its operation, and no refused request may have an effect. The seed determines the run. A failure prints
 * its request as a curl command. The nightly suite sends more requests.
 */
import { it } from 'vitest';
import { fuzz } from './fuzz/run.ts';

it('every reply is documented, a refusal has no effect, and an order succeeds at the end: 150 requests', {
  timeout: 120_000,
}, async () => {
  await fuzz('1', 150, new Map());
});
