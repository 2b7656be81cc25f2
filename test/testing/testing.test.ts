/** Tests the helpers that partners' test suites import as `@rewards-sandbox/sandbox/testing`. */
import { expect, it, onTestFinished } from 'vitest';
import { sandboxForTests, type TestWorkspace } from '../../sandbox/testing/testing.ts';
import { testWorkspace } from '../../sandbox/testing/workspace.ts';
import { serve } from '../harness/http-server.ts';

async function started() {
  const sandbox = await sandboxForTests();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Orders a voucher for CUST0001 with the customer's own token. */
async function order(workspace: TestWorkspace) {
  const rewards = workspace.rewards(await workspace.customerToken('CUST0001'));
  const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
  const { data } = await rewards.POST('/v1/partner/redeemptiononskus', { body: { uid: 'CUST0001', line_items } });
  return data;
}

/** Returns whether a workspace still exists. */
async function isThere({ control, id }: TestWorkspace): Promise<boolean> {
  const { response } = await control.GET('/workspace');
  expect(id).toMatch(/^ws_/);
  return response.ok;
}

it('a test has its own ledger, and its time moves only when it advances the clock', async () => {
  const sandbox = await started();
  let first: TestWorkspace | undefined;
  await sandbox.withWorkspace(async (workspace) => {
    first = workspace;
    const before = await workspace.ledger('CUST0001');
    const placed = await order(workspace);
    const status = async () => (await workspace.control.GET('/orders')).data?.items.at(0)?.order;
    expect(await status()).toMatchObject({ order_id: placed?.order_id, status: 'Pending' });
    await workspace.clock.advance(2);
    expect(await status()).toMatchObject({ order_id: placed?.order_id, status: 'Delivered' });
    expect((await workspace.ledger('CUST0001')).balance).toBeLessThan(before.balance);
  });
  expect(first && (await isThere(first))).toBe(false);
  await sandbox.withWorkspace(async (workspace) => {
    expect((await workspace.ledger('CUST0001')).items).toMatchObject([{ kind: 'credit' }]);
  });
});

it('a failing test fails with its own error, and its workspace is removed', async () => {
  const sandbox = await started();
  let failed: TestWorkspace | undefined;
  const test = sandbox.withWorkspace((workspace) => {
    failed = workspace;
    throw new Error('not what I wanted');
  });
  await expect(test).rejects.toThrow('not what I wanted');
  expect(failed && (await isThere(failed))).toBe(false);
});

it('a test with a ledger mismatch at its end fails', async () => {
  const sandbox = await started();
  const test = sandbox.withWorkspace(async (workspace) => {
    const fault = { target: 'saveRedeemDetails', fault: 'lost_reply', times: 20 } as const;
    await workspace.control.POST('/faults', { body: fault });
    await order(workspace);
  });
  await expect(test).rejects.toThrow(/the ledgers differ.*missing_reversal/s);
});

it('OP-66: a test can check its calls against the interface, and the error names the call that breaks it', async () => {
  const sandbox = await started();
  await sandbox.withWorkspace(async (workspace) => {
    await order(workspace);
    await workspace.assertContractsKept();
    await workspace.client().POST('/saveRedeemDetails', { body: {} as never });
    await expect(workspace.assertContractsKept()).rejects.toThrow(
      /^calls violate the interface:.*"pointer": "\/body\/uid".*"operation": "saveRedeemDetails"/s,
    );
  });
});

it('OP-66: an incomplete check is an error, not a success', async () => {
  const sandbox = await started();
  const url = await serve((_, __, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"items":[],"checked_from":1,"checked_to":3,"newest":4,"unchecked":0}');
  });
  await sandbox.withWorkspace(async ({ id, urls, credentials }) => {
    const workspace = { id, admin_token: 'at_none', urls: { ...urls, sandbox: url }, credentials };
    const late = testWorkspace(workspace as unknown as Parameters<typeof testWorkspace>[0]);
    await expect(late.assertContractsKept()).rejects.toThrow('calls were not checked within 60 s');
  });
});

it('the platform calls the server that a test sets, with its token', async () => {
  const sandbox = await started();
  const authorizations: (string | undefined)[] = [];
  const url = await serve(async (request, _, response) => {
    authorizations.push(request.headers.authorization);
    response.writeHead(500).end();
  });
  await sandbox.withWorkspace(async (workspace) => {
    await workspace.pointAt(url, 'your-service-token');
    const company = workspace.rewards(await workspace.companyToken());
    const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
    await company.POST('/v1/partner/redeemptiononskus', { body: { uid: 'CUST0001', line_items } });
    await workspace.pointAt(workspace.urls.client, workspace.credentials.service_token);
  });
  expect(authorizations.at(0)).toBe('Bearer your-service-token');
});

it('waiting resolves with the result, and a timeout names the condition', async () => {
  const sandbox = await started();
  await sandbox.withWorkspace(async (workspace) => {
    let looks = 0;
    const third = workspace.waitFor('a third look', () => {
      looks += 1;
      return looks === 3 && looks;
    });
    expect(await third).toBe(3);
    await expect(workspace.waitFor('a voucher', () => undefined, 1)).rejects.toThrow('a voucher: not within 1 ms');
  });
});

it('the error for a refused call has its URL, status and body', async () => {
  const sandbox = await started();
  await sandbox.withWorkspace(async (workspace) => {
    await expect(workspace.clock.advance(-1)).rejects.toThrow(
      new RegExp(`^${workspace.urls.sandbox}/clock/advance returned 400: \\{`),
    );
    await expect(workspace.customerToken('NOBODY')).rejects.toThrow(/generate-otp returned 4\d\d/);
  });
});
