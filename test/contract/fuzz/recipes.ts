import { type Callers, someone } from '../../harness/callers.ts';
import type { Draw } from '../../harness/drawing.ts';
import { example } from '../../harness/exchanges.ts';
import { ok, type TestSandbox } from '../../harness/sandbox.ts';
import type { Parts } from './requests.ts';

/** The components that a recipe uses. */
interface Participants {
  readonly sandbox: TestSandbox;
  readonly callers: Callers;
  readonly draw: Draw;
}

/** Prepares values that must match in a valid request, although no schema requires it, and inserts them into the request. */
type Recipe = (parts: Parts, participants: Participants) => Promise<void>;

const fault = { target: 'creditPoints', fault: 'status', status: 503, times: 1 } as const;
const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];

export const recipes: Readonly<Record<string, Recipe>> = {
  async customerAuth(parts, { callers }) {
    parts.body = { uid: someone, token: tokenOf(callers, 'customerJwt') };
  },
  async verifyOtp(parts, { sandbox: { auth, control }, draw }) {
    const uid = `CUST00${draw.integer(10, 19)}`;
    const otpReply = await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } });
    const { items } = ok(await control.GET('/messages', { params: { query: { uid } } }));
    const reference_id = otpReply.data?.reference_id ?? 'OTP-1';
    parts.body = { customer_id: uid, otp: items[0]?.otp ?? '000000', reference_id };
  },
  async createProductOrder(parts, { sandbox }) {
    await ensureAffordable(sandbox);
    parts.body = { line_items };
  },
  async getOrderStatus(parts, participants) {
    parts.query = [['order_id', await placedOrder(participants)]];
  },
  async reversePoints(parts, { sandbox, draw }) {
    await ensureAffordable(sandbox);
    const redeem_code = `FUZZ-${draw.integer(1, 999_999)}`;
    const deduction = { customer_id: someone, order_id: 'ORD-1', redeem_code, points: 1 };
    ok(await sandbox.v2Client().POST('/api/v1/orders/redeem', { body: deduction }));
    parts.body = { redeem_code, points: 1, reason: '' };
  },
  // The numbers in the body must add up (OP-122).
  async saveRedeemDetails(parts, { sandbox, draw }) {
    await ensureAffordable(sandbox);
    const record = example('saveRedeemDetails').request.body as object;
    parts.body = { ...record, uid: someone, redeemCode: `FUZZ-${draw.integer(1, 999_999)}` };
  },
  async createFault(parts) {
    parts.body = fault;
  },
  async deleteFault(parts, { sandbox: { control } }) {
    parts.path.id = ok(await control.POST('/faults', { body: fault })).id;
  },
  async getPlacedOrder(parts, participants) {
    parts.path.order_id = await placedOrder(participants);
  },
  async listWebhookDeliveries(parts, { sandbox, callers }) {
    const rewards = sandbox.rewards(tokenOf(callers, 'companyToken'));
    const body = { url: 'https://client.invalid/hook' };
    // A workspace allows at most 20 registrations, and the run may have created some already.
    const [existing] = ok(await rewards.GET('/v1/partner/webhooks')).items;
    parts.path.webhook_id = (existing ?? ok(await rewards.POST('/v1/partner/webhooks', { body }))).webhook_id;
  },
  async updateListedWorkspace(parts, { sandbox: { control } }) {
    const [, existing] = ok(await control.GET('/workspaces', { params: { query: { limit: 2 } } })).items;
    parts.path.id = (existing ?? ok(await control.POST('/workspaces', { body: {} }))).id;
  },
  async checkWorkspace(parts, { sandbox: { control } }) {
    parts.path.id = ok(await control.GET('/workspace')).id;
  },
  // The demo workspace cannot be deleted. A deleted workspace authorizes its own deletion.
  async deleteWorkspace(parts, { sandbox: { control } }) {
    const { id, admin_token } = ok(await control.POST('/workspaces', { body: {} }));
    parts.path.id = id;
    parts.headers = [['Authorization', `Bearer ${admin_token}`]];
  },
  deleteSnapshot: withSnapshot,
  restoreSnapshot: withSnapshot,
  forkSnapshot: withSnapshot,
  getCertification: withCertification,
  deleteCertification: withCertification,
};

/** Places an order. Returns its id. */
async function placedOrder({ sandbox, callers }: Participants): Promise<string> {
  await ensureAffordable(sandbox);
  const platform = sandbox.v2Platform(tokenOf(callers, 'companyToken'));
  return ok(await platform.POST('/api/v1/orders', { body: { customer_id: someone, line_items } })).order_id;
}

/** Names a completed certification. A running one would change records between two requests. */
async function withCertification(parts: Parts, { sandbox: { control } }: Participants): Promise<void> {
  const { items } = ok(await control.GET('/certifications'));
  if (items[0] !== undefined) {
    parts.path.id = items[0].id;
    return;
  }
  const { id } = ok(await control.POST('/certifications', { body: { customers: [someone], only: ['TOK-02'] } }));
  const params = { path: { id } };
  while (ok(await control.GET('/certifications/{id}', { params })).state === 'running');
  parts.path.id = id;
}

/** Creates and names a snapshot. At the limit, first deletes the oldest one. */
async function withSnapshot(parts: Parts, { sandbox: { control } }: Participants): Promise<void> {
  const { items } = ok(await control.GET('/snapshots'));
  const [oldest] = items;
  if (oldest !== undefined && items.length >= 10) {
    await control.DELETE('/snapshots/{id}', { params: { path: { id: oldest.id } } });
  }
  parts.path.id = ok(await control.POST('/snapshots', { body: {} })).id;
}

function tokenOf(callers: Callers, scheme: string): string {
  return callers.for(scheme).slice('Bearer '.length);
}

/** Ensures that the customer can pay and the item is available, regardless of earlier requests. */
async function ensureAffordable({ control }: TestSandbox): Promise<void> {
  const customer = { params: { path: { uid: someone } }, body: { points: { balance: 1_000_000 } } };
  ok(await control.PATCH('/customers/{uid}', customer));
  const { items } = ok(await control.GET('/catalogue'));
  const params = { path: { sku_code: 'EGV-SPICE-500' } };
  const found = items.find(({ sku_code }) => sku_code === 'EGV-SPICE-500');
  if (found?.product_type !== 'EGV') {
    // An earlier request deleted the item and may have recreated it as a product.
    if (found !== undefined) await control.DELETE('/catalogue/{sku_code}', { params });
    ok(await control.POST('/catalogue', { body: { sku_code: 'EGV-SPICE-500', product_type: 'EGV' } }));
  }
  const item = { params, body: { status: 1 as const, stock: 100, denomination_value: '500' } };
  ok(await control.PATCH('/catalogue/{sku_code}', item));
}
