/** Tests the data that the verdict on a job is based on (OP-66). */
import { expect, it } from 'vitest';
import { order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, workspaceOf } from '../harness/workspaces.ts';

const at = (id: string) => ({ params: { path: { id } } });

it('counts each call of the interface once, and calls of the control API not at all', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox));
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  const { id, calls, reconciliation } = ok(await sandbox.control.GET('/workspaces/{id}/verdict', at('demo')));
  expect({ id, reconciliation }).toEqual({ id: 'demo', reconciliation: { items: [], next: null } });
  const byOperation = Object.fromEntries(calls.map(({ operation, ...counts }) => [operation, counts]));
  expect(byOperation).toMatchObject({
    createRedemptionOrder: { calls: 1, succeeded: 1 },
    saveRedeemDetails: { calls: 1, succeeded: 1 },
    listRewards: { calls: 1, succeeded: 0 },
  });
  expect(Object.keys(byOperation)).not.toContain('listActivity');
});

it('the operator sees every workspace, and others only their own', async () => {
  const sandbox = await testSandbox();
  const [one, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
  await companyTokenOf(one);
  const verdict = ok(await sandbox.control.GET('/workspaces/{id}/verdict', at(one.details.id)));
  expect(verdict.calls).toEqual([{ operation: 'companyAuth', calls: 1, succeeded: 1 }]);
  expect(ok(await one.control.GET('/workspaces/{id}/verdict', at(one.details.id)))).toEqual(verdict);
  for (const id of [one.details.id, 'demo', 'ws_0000000000000000'])
    expect((await other.control.GET('/workspaces/{id}/verdict', at(id))).response.status).toBe(404);
});
