/** Tests a CI job that uses its own workspace, customers and snapshots, and that removes all of them afterwards (OP-63, OP-64). */
import { expect, it } from 'vitest';
import { proxiedSandbox } from '../harness/proxied.ts';
import { clientsOf, ok } from '../harness/sandbox.ts';

it('creates a workspace, prepares and forks it, restores a snapshot, and deletes everything', async () => {
  const sandbox = await proxiedSandbox();
  expect(ok(await sandbox.control.GET('/health'))).toMatchObject({ status: 'ok' });
  const client_url = sandbox.urls.client;
  const options = { seed: 'build-4711', clock: 'frozen', settings: { client_url, rate_limit: 50 } } as const;
  const created = ok(await sandbox.control.POST('/workspaces', { body: options }));
  const { urls } = sandbox;
  const own = clientsOf({ ...created, urls }, created.admin_token);
  const { control } = own;
  expect(ok(await control.GET('/workspace'))).toMatchObject({ id: created.id, settings: options.settings });
  expect(ok(await control.GET('/workspaces')).items).toMatchObject([{ id: created.id }]);
  ok(await control.PATCH('/workspace', { body: { settings: { processing_fee_egv: 3 } } }));
  // The sandbox operator finds the workspace by name and removes its expiry.
  const rename = { params: { path: { id: created.id } }, body: { name: 'Nightly build', expires_in: null } };
  expect(ok(await sandbox.control.PATCH('/workspaces/{id}', rename))).toMatchObject({ expires_at: null });
  const found = ok(await sandbox.control.GET('/workspaces', { params: { query: { search: 'nightly' } } }));
  expect(found.items).toMatchObject([{ id: created.id, name: 'Nightly build' }]);

  // Create a customer for the tests, and a snapshot to restore.
  const uid = 'BUILD-4711';
  const path = { uid };
  ok(await control.POST('/customers', { body: { uid, points: { balance: 700 } } }));
  const snapshot = ok(await control.POST('/snapshots', { body: { name: 'prepared' } }));
  expect(ok(await control.GET('/snapshots'))).toEqual({ items: [snapshot] });

  // Run the actual test, then restore the snapshot. The fork changes independently.
  const secret = own.credentials.company_secret;
  const { token } = ok(await own.rewards().POST('/v1/company/auth', { body: { secret } }));
  const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
  const balance = async (of = control) => ok(await of.GET('/ledger/{uid}', { params: { path } })).balance;
  ok(await own.rewards(token).POST('/v1/partner/redeemptiononskus', { body: { uid, line_items } }));
  expect(await balance()).toBe(197);
  const id = { params: { path: { id: snapshot.id } } };
  const fork = ok(await control.POST('/snapshots/{id}/fork', id));
  ok(await control.POST('/snapshots/{id}/restore', id));
  expect(await balance()).toBe(700);
  const forked = clientsOf({ ...fork, urls }, fork.admin_token).control;
  ok(await forked.PATCH('/customers/{uid}', { params: { path }, body: { points: { balance: 5 } } }));
  expect([await balance(forked), await balance()]).toEqual([5, 700]);
  expect(ok(await control.GET('/clock'))).toEqual(ok(await forked.GET('/clock')));

  // The platform can call the client, and the checks of the job's traffic pass.
  const check = { params: { query: { uid } } };
  const [connection] = ok(await control.GET('/connection', check)).items;
  expect(connection).toMatchObject({ name: 'Connection', state: 'ok', change: null });
  const verdict = { params: { path: { id: created.id } } };
  expect(ok(await sandbox.control.GET('/workspaces/{id}/verdict', verdict))).toMatchObject({ id: created.id });

  // Delete everything. The demo workspace is unaffected.
  expect((await control.DELETE('/snapshots/{id}', id)).response.status).toBe(204);
  ok(await control.POST('/reset'));
  expect(ok(await control.GET('/customers')).items.map((customer) => customer.profile.uid)).not.toContain(uid);
  for (const [workspace, of] of [[created, control] as const, [fork, forked] as const]) {
    const removal = await of.DELETE('/workspaces/{id}', { params: { path: { id: workspace.id } } });
    expect(removal.response.status).toBe(204);
  }
  expect(ok(await sandbox.control.GET('/workspaces')).items.map(({ id }) => id)).toEqual(['demo']);
  expect(ok(await sandbox.control.GET('/customers')).items.map((customer) => customer.profile.uid)).not.toContain(uid);
});
