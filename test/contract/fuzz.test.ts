/**
 * Generated requests to every operation of every contract: as the contract says, and spoiled in one place. No reply is
 * a failure of the server, each is documented where it was given, and what is refused has no effect. A run follows from
 * its seed; what fails is shown as a curl. The nightly suite sends more of them.
 */
import { it } from 'vitest';
import { fuzz } from './fuzz/run.ts';

it('every reply is documented, a refusal has no effect, and an order works in the end: 150 requests', {
  timeout: 120_000,
}, async () => {
  await fuzz('1', 150, new Map());
});
