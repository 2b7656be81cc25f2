/** The long form of `own-tokens.test.ts`: many workspaces, in one process and across three instances (OP-63, OP-207). */
import { it } from 'vitest';
import { postgres } from '../harness/postgres.ts';
import { clientsOf, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';
import { sideBySide } from './side-by-side.ts';

const database = postgres();
const key = Buffer.alloc(32, 5);

it('fifty concurrent workspaces: the server of each receives only the calls of its own workspace', async () => {
  const sandbox = await testSandbox();
  await sideBySide(50, () => workspaceOf(sandbox));
});

it('the same over three instances that share PostgreSQL, with every call through one that may not own the workspace', async () => {
  const store = await database();
  const instances: TestSandbox[] = [];
  for (let number = 0; number < 3; number += 1) {
    instances.push(await testSandbox({ store, key, share: { port: 0 } }));
  }
  await sideBySide(50, async (number) => {
    const [making, called] = [instances[number % 3], instances[(number + 1) % 3]] as [TestSandbox, TestSandbox];
    const { details } = await workspaceOf(making);
    const urls = JSON.parse(
      JSON.stringify(details.urls).replaceAll(new URL(details.urls.sandbox).origin, called.origin),
    );
    return clientsOf({ ...details, urls }, details.admin_token);
  });
});
