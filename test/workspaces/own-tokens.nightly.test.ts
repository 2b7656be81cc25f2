/** The long form of `own-tokens.test.ts`. */
import { it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';
import { sideBySide } from './side-by-side.ts';

it('fifty workspaces side by side: the server of each hears the calls of its own workspace, and no other', async () => {
  await sideBySide(await testSandbox(), 50);
});
