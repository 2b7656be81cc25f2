/** Sends strings along every path and checks that the sandbox can still reach its client. */
import { expect } from 'vitest';
import { advance, order, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox } from '../harness/sandbox.ts';
import { receiver } from '../harness/webhook-receiver.ts';
import type { Way } from './handed-on-journeys.ts';
import type { Odd } from './handed-on-texts.ts';

/** Raises the limits for thousands of orders, and registers a webhook receiver for every catalogue change. */
export async function prepare(sandbox: TestSandbox): Promise<void> {
  const { control } = sandbox;
  ok(await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } }));
  const path = { uid: 'CUST0001' };
  ok(await control.PATCH('/customers/{uid}', { params: { path }, body: { points: { balance: 999_999_999 } } }));
  for (const sku_code of [voucher.sku, 'PHY-LAMP-01'])
    ok(await control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body: { stock: 999_999 } }));
  await receiver(sandbox);
}

/** Sends all strings along one path. None may make the server fail, and the sandbox must still accept an order promptly. */
export async function carry(sandbox: TestSandbox, { way, open, close }: Way, odds: readonly Odd[]): Promise<void> {
  const send = await open(sandbox);
  for (const odd of odds) expect(await send(odd), `${way} with ${JSON.stringify(odd)}`).toBeLessThan(500);
  await close?.(sandbox);
  const begun = performance.now();
  expect((await order(sandbox)).response.status, `an order after ${way}`).toBe(200);
  expect(performance.now() - begun, `milliseconds of an order after ${way}`).toBeLessThan(5000);
}

/** Checks that every pending delivery succeeds, unless the client does not know the customer. */
export async function deliver(sandbox: TestSandbox): Promise<void> {
  await advance(sandbox, 2);
  const { items } = ok(await sandbox.control.GET('/deliveries'));
  expect(items.filter(({ reason }) => reason !== 'Unknown customer.')).toEqual([]);
}
