/** How to trigger a call to each client operation: when the platform makes the call, and the action of a button. */

import { api, ask, CallFailure, type Schemas } from '../api.ts';
import { complaint } from '../calls.ts';
import type { CallEntry } from '../live.ts';
import { perform } from '../resend.tsx';

type Workspace = Schemas['Workspace'];
interface Attempt {
  /** When the platform or the microsite calls the operation. */
  when: string;
  /** The label of the button; absent if the user must use the microsite. */
  label?: string;
  run?: (uid: string, workspace: Workspace) => Promise<string>;
}

const order = { label: 'Place order', run: placeOrder };
const orderV2 = { label: 'Place v2.0 order', run: placeV2 };

export const attempts: Readonly<Record<string, Attempt>> = {
  getProfileAndPoints: { when: 'when a customer opens the portal, and before each order', ...order },
  creditPoints: { when: 'when a payment earns points', label: 'Report payment', run: pay },
  saveRedeemDetails: { when: 'when an order is placed, once per line', ...order },
  updateRedeemStatus: {
    when: 'when a vendor delivers or rejects an item',
    label: 'Deliver newest order',
    run: deliver,
  },
  generateOtp: { when: 'when a customer signs in on the microsite' },
  verifyOtp: { when: 'when the customer enters the one-time password' },
  getCustomerPoints: { when: 'before each version 2.0 order', ...orderV2 },
  redeemPoints: { when: 'when a version 2.0 order is placed, once per line', ...orderV2 },
  reversePoints: {
    when: 'when a vendor rejects a version 2.0 order',
    label: 'Place a v2.0 order to be rejected',
    run: placeRejected,
  },
};

async function placeOrder(uid: string, workspace: Workspace) {
  const body = { uid, line_items: [{ sku: await someVoucher(), quantity: 1 }] };
  return post('/rewards/v1/partner/redeemptiononskus', body, workspace);
}

async function placeV2(customer_id: string, workspace: Workspace, voucher?: string) {
  const body = { customer_id, line_items: [{ sku: voucher ?? (await someVoucher()), quantity: 1 }] };
  return post('/rewards/api/v1/orders', body, workspace);
}

async function placeRejected(uid: string, workspace: Workspace) {
  const result = await placeV2(uid, workspace, 'MAGIC-EGV-REJECTED');
  await ask(api.POST('/clock/advance', { body: { seconds: 2 } }));
  return `${result} The clock advanced by 2 seconds.`;
}

async function pay(uid: string) {
  const { points, answer } = await ask(api.POST('/triggers/payment', { body: { uid } }));
  if (answer.outcome !== 'accepted') throw new CallFailure(answer.message);
  await ask(api.POST('/settle'));
  return `Payment reported: ${points} points will be credited.`;
}

/** Delivers the newest redemption if it is pending; otherwise reports its status again. */
async function deliver() {
  const { items } = await ask(api.GET('/orders', { params: { query: { limit: 1 } } }));
  const line = items.at(-1)?.order.lines.at(-1);
  if (line === undefined) throw new CallFailure('No orders yet. Place one first.');
  const { redeemCode, status } = line;
  if (status === 'Pending') {
    await ask(api.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome: 'deliver' } }));
    await ask(api.POST('/settle'));
  } else await ask(api.POST('/triggers/status_update', { body: { redeemCode, status } }));
  return `Status update sent for ${redeemCode}.`;
}

/** Returns the cheapest available e-gift voucher. */
async function someVoucher() {
  const { items } = await ask(api.GET('/catalogue', { params: { query: { limit: 1000 } } }));
  const vouchers = items.filter((item) => item.product_type === 'EGV');
  const available = vouchers.filter(({ status, stock }) => status === 1 && stock > 0);
  const [cheapest] = available.sort((one, other) => Number(one.denomination_value) - Number(other.denomination_value));
  if (cheapest === undefined) throw new CallFailure('No e-gift voucher is in stock.');
  return cheapest.sku_code;
}

/** Calls the platform with the company token, as the client's server would. Returns a description of the result. */
async function post(path: string, body: unknown, workspace: Workspace) {
  const draft = { method: 'POST', path, scheme: 'companyToken', uid: '', headers: '', body: JSON.stringify(body) };
  const { status, body: reply, trace } = await perform(draft, workspace);
  const said = complaint({ status, reply } as CallEntry);
  if (status >= 400) throw new CallFailure(`The platform returned ${status}: ${said}`, status, trace);
  return 'The order was placed.';
}
