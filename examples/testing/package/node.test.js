/** An example for node:test. Each test requests a workspace. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandboxForTests } from '@rewards-sandbox/sandbox/testing';

let sandbox;
before(async () => {
  sandbox = await sandboxForTests();
});
after(() => sandbox.close());

test('a payment is credited', () =>
  sandbox.withWorkspace(async (workspace) => {
    const { balance } = await workspace.ledger('CUST0001');
    const payment = { uid: 'CUST0001', transactionId: 'PAY-1' };
    const { data } = await workspace.control.POST('/triggers/payment', { body: payment });
    await workspace.clock.settle();
    assert.equal((await workspace.ledger('CUST0001')).balance, balance + data.points);
  }));
