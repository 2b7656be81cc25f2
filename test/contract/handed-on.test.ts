import { it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';
import { carry, deliver, prepare } from './handed-on.ts';
import { someOdd } from './handed-on-texts.ts';
import { ways } from './handed-on-ways.ts';

it('OP-80: whatever text is sent on whatever way, the sandbox goes on calling its client: one text of each kind', async () => {
  const sandbox = await testSandbox();
  await prepare(sandbox);
  for (const way of ways) await carry(sandbox, way, someOdd);
  await deliver(sandbox);
});
