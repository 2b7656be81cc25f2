/**
 * Generated requests to every operation of every contract, both valid and corrupted in one part. No reply is a server failure, each is
 * documented for its operation, and a refused request has no effect. The seed determines the run. A failure prints its request as a curl
 * command. The nightly suite sends more requests.
 */
import { it } from 'vitest';
import { fuzz } from './fuzz/run.ts';

it('every reply is documented, a refusal has no effect, and an order succeeds at the end: 150 requests', {
  timeout: 120_000,
}, async () => {
  await fuzz('1', 150, new Map());
});
