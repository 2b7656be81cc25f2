import { it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';
import { carry, deliver, prepare } from './handed-on.ts';
import { someOdd } from './handed-on-texts.ts';
import { ways } from './handed-on-ways.ts';

it('OP-80: the sandbox still reaches its client after any text on any way: one text of each kind', async () => {
  const sandbox = await testSandbox();
  await prepare(sandbox);
  for (const way of ways) await carry(sandbox, way, someOdd);
  await deliver(sandbox);
});
