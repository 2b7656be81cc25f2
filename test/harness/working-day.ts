/** Generates the traffic for screenshots. It is identical in every run, because the clock is frozen and the seed is fixed. */
import { failing } from './faults.ts';
import { advance, kettle, order, pay, redeem, vendorWill, voucher } from './orders.ts';
import { ok, signIn, type TestSandbox } from './sandbox.ts';

/** Simulates a developer's working day: delivered and failed orders, a payment, a sign-in and mistakes. Returns a redeem code. */
export async function workingDay(sandbox: TestSandbox): Promise<string> {
  const { control, rewards } = sandbox;
  const { companyToken } = await signIn(sandbox, 'CUST0007');
  ok(await rewards(companyToken).GET('/v1/partner/rewards', { params: { query: { limit: 20 } } }));
  ok(await pay(sandbox, { uid: 'CUST0007', paymentAmount: '25000' }));
  await advance(sandbox, 60);
  ok(await order(sandbox, { uid: 'CUST0005', line_items: [voucher] }));
  const address = { shipping_address: '12 Lake View Road, Indiranagar, Bengaluru 560038' };
  ok(await order(sandbox, { uid: 'CUST0001', line_items: [kettle], ...address }));
  await advance(sandbox, 240);
  ok(await order(sandbox, { line_items: [{ sku: 'MAGIC-EGV-SOLD-OUT', quantity: 1 }] }));
  await order(sandbox, { uid: 'MAGIC-ZERO' });
  await advance(sandbox, 180);
  await rewards(await sandbox.companyToken()).GET('/v1/partner/rewards', { params: { query: { limit: 5000 } } });
  await failing(sandbox, { target: 'updateRedeemStatus', fault: 'lost_reply', times: 1 });
  await vendorWill(sandbox, voucher.sku, { outcome: 'fail_then_deliver', times: 1 });
  const code = await redeem(sandbox, { uid: 'CUST0007' });
  await advance(sandbox, 60);
  await failing(sandbox, { target: 'creditPoints', fault: 'latency', ms: 2000 });
  ok(
    await control.PUT('/vendor-outcomes/{sku_code}', {
      params: { path: { sku_code: kettle.sku } },
      body: { outcome: 'reject', reason: 'Not shipped to this address' },
    }),
  );
  return code;
}
