import { expect, it } from 'vitest';
import { order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

it('a call with many listeners prints no Node warning on the terminal', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  try {
    const sandbox = await testSandbox();
    ok(await order(sandbox));
    const stream = await fetch(`${sandbox.urls.sandbox}/activity/stream?after=0`);
    await stream.body?.cancel();
    // Node emits warnings in a later event-loop turn.
    await new Promise(setImmediate);
  } finally {
    process.off('warning', note);
  }
  expect(warnings).toEqual([]);
});
