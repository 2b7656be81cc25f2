/** Tests three hundred readers that open a long log without reading, during two hundred orders (OP-59). */
import { expect, it } from 'vitest';
import { raw, testSandbox } from '../harness/sandbox.ts';
import { deafReader, longestWaits } from './readers.ts';

it('OP-59: a reader that reads nothing delays no other caller, and is disconnected at the second heartbeat', async () => {
  const rings: (() => void)[] = [];
  const timer = (ring: () => void) => {
    rings.push(ring);
    return () => {
      const at = rings.indexOf(ring);
      if (at >= 0) rings.splice(at, 1);
    };
  };
  const sandbox = await testSandbox({ timer });
  // The log exceeds a socket's buffer, but leaves space for the orders' entries.
  // Otherwise, a reader that falls behind the log is disconnected earlier.
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ uid: 'x'.repeat(3900) });
  for (let call = 0; call < 2800; call += 1) {
    await raw(`${sandbox.urls.sandbox}/customers`, { method: 'POST', headers, body });
  }
  const usual = await longestWaits(sandbox, 50);
  const readers = await Promise.all(Array.from({ length: 300 }, () => deafReader(sandbox.origin)));
  const waited = await longestWaits(sandbox, 200);
  // The limits are relative to the same machine without readers.
  expect(waited.loop).toBeLessThan(usual.loop + 200);
  expect(waited.health).toBeLessThan(usual.health * 5 + 500);

  const another = async () => {
    const stream = await fetch(`${sandbox.urls.sandbox}/activity/stream`);
    await stream.body?.cancel();
    return stream.status;
  };
  expect(await another()).toBe(409);
  for (let beat = 0; beat < 2; beat += 1) {
    for (const ring of rings.splice(0)) ring();
    await new Promise(setImmediate);
  }
  expect(await another()).toBe(200);
  for (const reader of readers) reader.destroy();
});
