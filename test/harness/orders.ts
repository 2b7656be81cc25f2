/** Places orders and controls their conditions: clock, vendor and stock. */
import type { components } from '../../generated/sandbox/types.ts';
import { ok, type TestSandbox } from './sandbox.ts';

export type OrderBody = {
  uid: string;
  line_items: { sku: string; quantity: number }[];
  shipping_address?: string;
  reference_id?: string;
};

export const voucher = { sku: 'EGV-SPICE-500', quantity: 1 };
export const kettle = { sku: 'PHY-KETTLE-01', quantity: 1 };

/** Places an order with the company's token. The default is one voucher of 500 points for CUST0001. */
export async function order(sandbox: TestSandbox, body: Partial<OrderBody> = {}, key?: string) {
  const rewards = sandbox.rewards(await sandbox.companyToken());
  return rewards.POST('/v1/partner/redeemptiononskus', {
    ...(key !== undefined && { params: { header: { 'Idempotency-Key': key } } }),
    body: { uid: 'CUST0001', line_items: [voucher], ...body },
  });
}

/** Places an order and returns the redeem code of its first line. */
export async function redeem(sandbox: TestSandbox, body: Partial<OrderBody> = {}): Promise<string> {
  return ok(await order(sandbox, body)).lines[0]?.redeemCode ?? '';
}

/** Reports a payment with the company's token. The default is 1,000 rupees by CUST0001, which earns 10 points. */
export async function pay(
  sandbox: TestSandbox,
  changes: { uid?: string; transactionId?: string; paymentAmount?: string } = {},
) {
  const usual = {
    uid: 'CUST0001',
    eventType: 'DIGITAL_PAYMENT',
    transactionId: 'TXN-1',
    paymentAmount: '1000',
  } as const;
  const rewards = sandbox.rewards(await sandbox.companyToken());
  return rewards.POST('/v1/partner/events/payment', { body: { ...usual, ...changes } });
}

/** Advances sandbox time and runs due work. Returns the number of work items that ran. */
export async function advance({ control }: TestSandbox, seconds: number): Promise<number> {
  return ok(await control.POST('/clock/advance', { body: { seconds } })).ran;
}

/** Sets the vendor's outcome for an item. */
export async function vendorWill(
  { control }: TestSandbox,
  sku_code: string,
  body: components['schemas']['VendorOutcomeInput'],
): Promise<void> {
  ok(await control.PUT('/vendor-outcomes/{sku_code}', { params: { path: { sku_code } }, body }));
}

/** Sets a customer's balance at the client. */
export async function setBalance({ control }: TestSandbox, uid: string, balance: number): Promise<void> {
  ok(await control.PATCH('/customers/{uid}', { params: { path: { uid } }, body: { points: { balance } } }));
}

/** Sets an item's stock. */
export async function setStock({ control }: TestSandbox, stock: number, sku_code = 'EGV-SPICE-500') {
  return ok(await control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body: { stock } }));
}
