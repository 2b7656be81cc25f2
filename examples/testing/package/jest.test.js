/** An example for jest (`node --experimental-vm-modules node_modules/jest/bin/jest.js`). Each test requests a workspace. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sandboxForTests } from '@rewards-sandbox/sandbox/testing';

let sandbox;
beforeAll(async () => {
  sandbox = await sandboxForTests();
});
afterAll(() => sandbox.close());

test('a payment is credited', () =>
  sandbox.withWorkspace(async (workspace) => {
    const { balance } = await workspace.ledger('CUST0001');
    const payment = { uid: 'CUST0001', transactionId: 'PAY-1' };
    const { data } = await workspace.control.POST('/triggers/payment', { body: payment });
    await workspace.clock.settle();
    expect((await workspace.ledger('CUST0001')).balance).toBe(balance + data.points);
  }));
