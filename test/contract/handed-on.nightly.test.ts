import { it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';
import { carry, deliver, prepare } from './handed-on.ts';
import { everyOdd } from './handed-on-texts.ts';
import { ways } from './handed-on-ways.ts';

it.each(ways.map((way) => [way.way, way] as const))(
  'OP-80: %s: the sandbox still reaches its client after any text: every byte, and more',
  async (_, way) => {
    const sandbox = await testSandbox();
    await prepare(sandbox);
    await carry(sandbox, way, everyOdd);
    await deliver(sandbox);
  },
);
