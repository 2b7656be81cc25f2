/** Tests the limit on workspaces created with a workspace's token, and the operator's view of them (OP-230). */
import { describe, expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, testSandbox } from '../harness/sandbox.ts';
import { opened, workspaceOf } from '../harness/workspaces.ts';

const full = (limit: number) =>
  flat(409, 67, `No more than ${limit} workspaces created with the token of a workspace: delete one first`);

const create = ({ control }: Pick<Clients, 'control'>) => control.POST('/workspaces', { body: { clock: 'frozen' } });
const remove = ({ control }: Pick<Clients, 'control'>, id: string) =>
  control.DELETE('/workspaces/{id}', { params: { path: { id } } });

async function creatorsIn({ control }: Pick<Clients, 'control'>) {
  const { items } = ok(await control.GET('/workspaces', { params: { query: { limit: 200 } } }));
  return Object.fromEntries(items.map(({ id, created_by }) => [id, created_by]));
}

describe('OP-230: the token of a workspace', () => {
  it('creates at most ten workspaces, even with concurrent calls; the next is 409, and deleting one makes room', async () => {
    const sandbox = await testSandbox();
    const [tenant, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(tenant)));
    const workspaces = answers.flatMap(({ data }) => data ?? []);
    expect(workspaces).toHaveLength(10);
    expect(answers.flatMap((answer) => (answer.data === undefined ? [refusal(answer)] : []))).toEqual([
      full(10),
      full(10),
    ]);
    // Other workspaces can still create workspaces.
    ok(await create(other));
    ok(await create(sandbox));
    const [first] = workspaces;
    if (first !== undefined) expect((await remove(opened(first), first.id)).response.status).toBe(204);
    ok(await create(tenant));
    expect(refusal(await create(tenant))).toEqual(full(10));
  });

  it('creates no more by forks or through workspaces that it created, and the operator sees the creator of each', async () => {
    const dataDir = await temporaryFolder();
    const sandbox = await testSandbox({ dataDir, maxCreatedWorkspaces: 2 });
    const tenant = await workspaceOf(sandbox);
    const child = opened(ok(await create(tenant)));
    const { id } = ok(await child.control.POST('/snapshots', { body: {} }));
    const fork = () => child.control.POST('/snapshots/{id}/fork', { params: { path: { id } } });
    const grandchild = opened(ok(await fork()));
    expect([await create(tenant), await fork(), await create(grandchild)].map(refusal)).toEqual(Array(3).fill(full(2)));
    const expected = {
      demo: null,
      [tenant.details.id]: 'demo',
      [child.details.id]: tenant.details.id,
      [grandchild.details.id]: tenant.details.id,
    };
    expect(await creatorsIn(sandbox)).toEqual(expected);
    expect(await creatorsIn(child)).toEqual({ [child.details.id]: tenant.details.id });
    await sandbox.close();

    const again = await testSandbox({ dataDir, maxCreatedWorkspaces: 2 });
    expect(await creatorsIn(again)).toEqual(expected);
    expect(refusal(await create(opened({ ...tenant.details, urls: again.workspace.urls })))).toEqual(full(2));
  });

  it('creates none where the operator allows none', async () => {
    const sandbox = await testSandbox({ maxCreatedWorkspaces: 0 });
    const tenant = await workspaceOf(sandbox);
    expect(refusal(await create(tenant))).toEqual(full(0));
  });
});
