/** The state that a workspace must have according to its replies, and its comparison with the actual state after a restart. */
import type { components } from '../../generated/sandbox/types.ts';
import { frozenStart } from '../../sandbox/runtime/clock.ts';
import { listed } from '../harness/lists.ts';
import { type Clients, clientsOf, ok } from '../harness/sandbox.ts';
import { companyTokenOf } from '../harness/workspaces.ts';
import type { Killable } from './killable.ts';

type Workspace = components['schemas']['Workspace'];
type PlacedOrder = components['schemas']['PlacedOrder'];

export const customers = ['SPENDER-A', 'SPENDER-B'];
const opening = 1_000_000;
/** The time at which a frozen clock starts, and to which a reset returns it. */
export const freshNow = new Date(frozenStart).toISOString();

/** The acknowledged changes, and the number of changes that may exist without a reply. */
export interface ExpectedState {
  /** Redeem codes by order id. */
  readonly orders: Map<string, { readonly uid: string; readonly codes: readonly string[] }>;
  /** Points by payment id. */
  readonly payments: Map<string, { readonly uid: string; readonly points: number }>;
  /** The number of orders and payments without a reply. */
  unansweredCount: number;
  /** The existing customers of these tests. */
  readonly spenders: Set<string>;
  /** The time of the sandbox clock. */
  now: string;
}

/** A workspace with its expected state and the expected state of each snapshot. */
export interface Space {
  readonly workspace: Workspace;
  expected: ExpectedState;
  readonly snapshots: Map<string, ExpectedState>;
}

/** Copies a state. A snapshot's state must not change with the workspace. */
export function copyOf(state: ExpectedState): ExpectedState {
  return {
    ...state,
    orders: new Map(state.orders),
    payments: new Map(state.payments),
    spenders: new Set(state.spenders),
  };
}

export function emptyState(now: string): ExpectedState {
  return { orders: new Map(), payments: new Map(), unansweredCount: 0, spenders: new Set(), now };
}

/** A workspace's typed clients for the current process, and its admin token. */
export type At = Clients & { readonly admin: string };

/** Returns a workspace's clients for the current process. */
export function at({ workspace }: Space, { urls }: Pick<Killable, 'urls'>): At {
  const admin = workspace.admin_token;
  return { ...clientsOf({ ...workspace, urls: { ...workspace.urls, ...urls } }, admin), admin };
}

/** Reads a reply's data. Returns `undefined` for a refusal that the test allows. */
export type ReadReply = <T>(what: string, reply: { data?: T; error?: unknown; response: Response }) => T | undefined;

/** Creates customers with many points in a workspace, and provides enough stock of the products they order. */
export async function fill(
  { expected }: Space,
  { control }: At,
  readReply: ReadReply = (_, reply) => ok(reply),
): Promise<void> {
  for (const uid of customers.filter((name) => !expected.spenders.has(name))) {
    const body = { uid, points: { balance: opening } };
    if (readReply('a customer', await control.POST('/customers', { body })) !== undefined) expected.spenders.add(uid);
  }
  for (const sku_code of ['EGV-CHAI-100', 'EGV-SPICE-100']) {
    const params = { path: { sku_code } };
    readReply('stock', await control.PATCH('/catalogue/{sku_code}', { params, body: { stock: 100_000 } }));
  }
}

/** Compares a workspace with its expected state, before and after due jobs run. Returns the problems. */
export async function compareState(space: Space, clients: At): Promise<string[]> {
  const { expected } = space;
  const problems: string[] = [];
  const now = ok(await clients.control.GET('/clock')).now;
  if (now !== expected.now) problems.push(`the clock is at ${now} instead of ${expected.now}`);
  const ids = await snapshotIds(clients);
  if (ids.join() !== [...space.snapshots.keys()].join()) {
    problems.push(`the snapshots are ${ids}, expected ${[...space.snapshots.keys()]}`);
  }
  const placedOrders = await ordersIn(clients);
  for (const [id, { uid, codes }] of expected.orders) {
    const match = placedOrders.find(({ order }) => order.order_id === id);
    const isSame = match?.uid === uid && match.order.lines.map(({ redeemCode }) => redeemCode).join() === codes.join();
    if (!isSame)
      problems.push(
        `order ${id} of ${uid} with ${codes} was acknowledged, but the sandbox has ${JSON.stringify(match)}`,
      );
  }
  problems.push(...(await unexpectedCustomers(expected, clients)));
  if (expected.spenders.size === 0)
    return [...problems, ...placedOrders.map(({ order }) => `order ${order.order_id} survived a reset`)];
  problems.push(...(await deductionProblems(expected, clients)));
  expected.now = ok(await clients.control.POST('/clock/advance', { body: { seconds: 4000 } })).now;
  return [...problems, ...(await settledProblems(space, clients))];
}

/** Reports customers that exist although nobody created them or a reset removed them. */
async function unexpectedCustomers({ spenders }: ExpectedState, { control }: At): Promise<string[]> {
  const problems: string[] = [];
  for (const uid of customers.filter((name) => !spenders.has(name))) {
    const { response } = await control.GET('/ledger/{uid}', { params: { path: { uid } } });
    if (response.status !== 404)
      problems.push(`the ledger of ${uid}, who should not exist, answers ${response.status}`);
  }
  return problems;
}

/** Reports acknowledged deductions that the ledger does not contain exactly once. Must run before any due job. */
async function deductionProblems({ orders, spenders }: ExpectedState, clients: At): Promise<string[]> {
  const problems: string[] = [];
  for (const uid of spenders) {
    const items = await entriesOf(uid, clients);
    const references = items.filter(({ kind }) => kind === 'deduct').map(({ reference }) => reference);
    const codes = [...orders.values()].filter((order) => order.uid === uid).flatMap((order) => order.codes);
    for (const code of codes) {
      const times = references.filter((reference) => reference === code).length;
      if (times !== 1) problems.push(`${code} of an acknowledged order was deducted ${times} times`);
    }
  }
  return problems;
}

/** Returns the problems after all due jobs have run. Adds unacknowledged changes that exist to the expected state. */
async function settledProblems(space: Space, clients: At): Promise<string[]> {
  const { expected } = space;
  const { control } = clients;
  const problems = ok(await control.GET('/reconciliation')).items.map(
    (item) => `the ledgers differ: ${JSON.stringify(item)}`,
  );
  const countBefore = expected.orders.size + expected.payments.size;
  for (const { uid, order } of await ordersIn(clients)) {
    if (order.status !== 'Delivered') problems.push(`order ${order.order_id} ends as ${order.status}`);
    expected.orders.set(order.order_id, { uid, codes: order.lines.map(({ redeemCode }) => redeemCode) });
  }
  const token = await companyTokenOf(clients);
  const vouchers: string[] = [];
  for (const uid of expected.spenders) {
    const { balance } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
    const ledger = { balance, next: null, items: await entriesOf(uid, clients) };
    const wallet = ok(await clients.rewards(token).GET('/getwalletdetail', { params: { query: { uid } } })).data;
    vouchers.push(...wallet.map(({ voucherCode }) => voucherCode));
    problems.push(
      ...ledgerProblems(
        expected,
        uid,
        ledger,
        wallet.map(({ redemptionCode }) => redemptionCode),
      ),
    );
  }
  if (new Set(vouchers).size !== vouchers.length) problems.push(`some voucher codes occur twice: ${vouchers}`);
  const added = expected.orders.size + expected.payments.size - countBefore;
  if (added > expected.unansweredCount)
    problems.push(`${expected.unansweredCount} calls without a reply led to ${added} orders and payments`);
  expected.unansweredCount = 0;
  return problems;
}

/** Returns the problems in a customer's ledger: wrong sums, and redemptions that are neither delivered nor refunded. */
function ledgerProblems(expected: ExpectedState, uid: string, ledger: Ledger, delivered: readonly string[]): string[] {
  const problems: string[] = [];
  const of = (kind: string) => ledger.items.filter((entry) => entry.kind === kind);
  const references = (kind: string) => of(kind).map(({ reference }) => reference);
  const sum = (kind: string) => of(kind).reduce((total, { points }) => total + points, 0);
  if (ledger.balance !== sum('credit') - sum('deduct') + sum('reverse'))
    problems.push(`the ledger of ${uid} does not add up`);
  const closedCodes = [...delivered, ...references('reverse')].sort().join();
  if (closedCodes !== references('deduct').sort().join()) {
    problems.push(`${uid} paid for ${references('deduct')}, but delivered or refunded are ${closedCodes}`);
  }
  const orderedCodes = [...expected.orders.values()].filter((order) => order.uid === uid).flatMap(({ codes }) => codes);
  const missingCodes = orderedCodes.filter((code) => !delivered.includes(code));
  if (missingCodes.length > 0) problems.push(`${uid} has no voucher for ${missingCodes}`);
  const credits = of('credit').filter(({ reference }) => reference !== 'opening');
  for (const { reference, points } of credits) {
    if (credits.filter((credit) => credit.reference === reference).length > 1)
      problems.push(`${reference} is credited twice`);
    if (!expected.payments.has(reference)) expected.payments.set(reference, { uid, points });
  }
  for (const [id, payment] of expected.payments) {
    const credit = credits.find(({ reference }) => reference === id);
    if (payment.uid === uid && credit?.points !== payment.points) problems.push(`payment ${id} is not credited`);
  }
  return problems;
}

type Ledger = components['schemas']['Ledger'];

function entriesOf(uid: string, { urls, admin }: At): Promise<Ledger['items']> {
  return listed(`${urls.sandbox}/ledger/${uid}`, admin);
}

function ordersIn({ urls, admin }: At): Promise<PlacedOrder[]> {
  return listed(`${urls.sandbox}/orders?after=0&limit=1000`, admin);
}

/** Returns the ids of the snapshots, oldest first. */
export async function snapshotIds({ urls, admin }: At): Promise<string[]> {
  const snapshots = await listed<{ id: string }>(`${urls.sandbox}/snapshots`, admin);
  return snapshots.map(({ id }) => id);
}
