/** What is known of a workspace from the answers that it gave, and how it is held against that after a restart. */
import type { components } from '../../generated/sandbox/types.ts';
import { frozenStart } from '../../sandbox/runtime/clock.ts';
import { listed } from '../harness/lists.ts';
import { type Clients, clientsOf, ok } from '../harness/sandbox.ts';
import { companyTokenOf } from '../harness/workspaces.ts';
import type { Killable } from './killable.ts';

type Shown = components['schemas']['Workspace'];
type PlacedOrder = components['schemas']['PlacedOrder'];

export const customers = ['SPENDER-A', 'SPENDER-B'];
const opening = 1_000_000;
/** Where a frozen clock begins, and where a reset takes it. */
export const freshNow = new Date(frozenStart).toISOString();

/** What was acknowledged, and how much more may stand because its answer was lost. */
export interface Known {
  /** Redeem codes by order id. */
  readonly orders: Map<string, { readonly uid: string; readonly codes: readonly string[] }>;
  /** Points by the id of the payment. */
  readonly payments: Map<string, { readonly uid: string; readonly points: number }>;
  /** Orders and payments that were sent without an answer. */
  unsure: number;
  /** Those of the customers of these tests who are there. */
  readonly spenders: Set<string>;
  /** Where the clock stands. */
  now: string;
}

/** A workspace as it is known. */
export interface Space {
  readonly shown: Shown;
  known: Known;
  readonly snapshots: Map<string, Known>;
}

/** A copy, since what a snapshot holds does not change with the workspace. */
export function copyOf(known: Known): Known {
  return {
    ...known,
    orders: new Map(known.orders),
    payments: new Map(known.payments),
    spenders: new Set(known.spenders),
  };
}

export function nothingKnown(now: string): Known {
  return { orders: new Map(), payments: new Map(), unsure: 0, spenders: new Set(), now };
}

/** Typed clients of a workspace where it runs now, and its admin token. */
export type At = Clients & { readonly admin: string };

/** Where a workspace is reached at the process that runs now. */
export function at({ shown }: Space, { urls }: Pick<Killable, 'urls'>): At {
  const admin = shown.admin_token;
  return { ...clientsOf({ ...shown, urls: { ...shown.urls, ...urls } }, admin), admin };
}

/** Takes the data out of a reply; undefined where it was refused as it may be. */
export type Said = <T>(what: string, reply: { data?: T; error?: unknown; response: Response }) => T | undefined;

/** Fills a workspace with customers who can afford much, and enough of what they order. */
export async function fill({ known }: Space, { control }: At, said: Said = (_, reply) => ok(reply)): Promise<void> {
  for (const uid of customers.filter((name) => !known.spenders.has(name))) {
    const body = { uid, points: { balance: opening } };
    if (said('a customer', await control.POST('/customers', { body })) !== undefined) known.spenders.add(uid);
  }
  for (const sku_code of ['EGV-CHAI-100', 'EGV-SPICE-100']) {
    const params = { path: { sku_code } };
    said('stock', await control.PATCH('/catalogue/{sku_code}', { params, body: { stock: 100_000 } }));
  }
}

/** Holds a workspace against what is known of it, before and after what is due has run. Returns what is wrong. */
export async function compared(space: Space, clients: At): Promise<string[]> {
  const { known } = space;
  const wrong: string[] = [];
  const now = ok(await clients.control.GET('/clock')).now;
  if (now !== known.now) wrong.push(`the clock stands at ${now} instead of ${known.now}`);
  const ids = await snapshotIds(clients);
  if (ids.join() !== [...space.snapshots.keys()].join()) {
    wrong.push(`there are the snapshots ${ids}, known are ${[...space.snapshots.keys()]}`);
  }
  const standing = await ordersIn(clients);
  for (const [id, { uid, codes }] of known.orders) {
    const found = standing.find(({ order }) => order.order_id === id);
    const same = found?.uid === uid && found.order.lines.map(({ redeemCode }) => redeemCode).join() === codes.join();
    if (!same)
      wrong.push(`order ${id} of ${uid} with ${codes} was acknowledged, and there is ${JSON.stringify(found)}`);
  }
  wrong.push(...(await strangers(known, clients)));
  if (known.spenders.size === 0)
    return [...wrong, ...standing.map(({ order }) => `order ${order.order_id} outlived a reset`)];
  wrong.push(...(await deducted(known, clients)));
  known.now = ok(await clients.control.POST('/clock/advance', { body: { seconds: 4000 } })).now;
  return [...wrong, ...(await settled(space, clients))];
}

/** Customers who are there although they were never made, or were dropped by a reset. */
async function strangers({ spenders }: Known, { control }: At): Promise<string[]> {
  const wrong: string[] = [];
  for (const uid of customers.filter((name) => !spenders.has(name))) {
    const { response } = await control.GET('/ledger/{uid}', { params: { path: { uid } } });
    if (response.status !== 404)
      wrong.push(`the ledger of ${uid}, who should not be there, answers ${response.status}`);
  }
  return wrong;
}

/** Every acknowledged deduction is in the ledger, before any due work has run. */
async function deducted({ orders, spenders }: Known, clients: At): Promise<string[]> {
  const wrong: string[] = [];
  for (const uid of spenders) {
    const items = await entriesOf(uid, clients);
    const booked = items.filter(({ kind }) => kind === 'deduct').map(({ reference }) => reference);
    const codes = [...orders.values()].filter((order) => order.uid === uid).flatMap((order) => order.codes);
    for (const code of codes) {
      const times = booked.filter((reference) => reference === code).length;
      if (times !== 1) wrong.push(`${code} of an acknowledged order was deducted ${times} times`);
    }
  }
  return wrong;
}

/** What is wrong once nothing is due any more. What stands without having been acknowledged is known from now on. */
async function settled(space: Space, clients: At): Promise<string[]> {
  const { known } = space;
  const { control } = clients;
  const wrong = ok(await control.GET('/reconciliation')).items.map(
    (item) => `the ledgers differ: ${JSON.stringify(item)}`,
  );
  const before = known.orders.size + known.payments.size;
  for (const { uid, order } of await ordersIn(clients)) {
    if (order.status !== 'Delivered') wrong.push(`order ${order.order_id} ends as ${order.status}`);
    known.orders.set(order.order_id, { uid, codes: order.lines.map(({ redeemCode }) => redeemCode) });
  }
  const token = await companyTokenOf(clients);
  const vouchers: string[] = [];
  for (const uid of known.spenders) {
    const { balance } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
    const ledger = { balance, next: null, items: await entriesOf(uid, clients) };
    const wallet = ok(await clients.rewards(token).GET('/getwalletdetail', { params: { query: { uid } } })).data;
    vouchers.push(...wallet.map(({ voucherCode }) => voucherCode));
    wrong.push(
      ...ledgerProblems(
        known,
        uid,
        ledger,
        wallet.map(({ redemptionCode }) => redemptionCode),
      ),
    );
  }
  if (new Set(vouchers).size !== vouchers.length) wrong.push(`voucher codes are there twice: ${vouchers}`);
  const more = known.orders.size + known.payments.size - before;
  if (more > known.unsure) wrong.push(`${more} orders and payments came out of ${known.unsure} without an answer`);
  known.unsure = 0;
  return wrong;
}

/** What is wrong with a customer's ledger: its sums, or a redemption that is neither delivered nor given back. */
function ledgerProblems(known: Known, uid: string, ledger: Ledger, delivered: readonly string[]): string[] {
  const wrong: string[] = [];
  const of = (kind: string) => ledger.items.filter((entry) => entry.kind === kind);
  const references = (kind: string) => of(kind).map(({ reference }) => reference);
  const sum = (kind: string) => of(kind).reduce((total, { points }) => total + points, 0);
  if (ledger.balance !== sum('credit') - sum('deduct') + sum('reverse'))
    wrong.push(`the ledger of ${uid} does not add up`);
  const ended = [...delivered, ...references('reverse')].sort().join();
  if (ended !== references('deduct').sort().join()) {
    wrong.push(`${uid} was deducted ${references('deduct')}, and delivered or given back ${ended}`);
  }
  const ordered = [...known.orders.values()].filter((order) => order.uid === uid).flatMap(({ codes }) => codes);
  const missing = ordered.filter((code) => !delivered.includes(code));
  if (missing.length > 0) wrong.push(`${uid} has no voucher for ${missing}`);
  const credits = of('credit').filter(({ reference }) => reference !== 'opening');
  for (const { reference, points } of credits) {
    if (credits.filter((credit) => credit.reference === reference).length > 1)
      wrong.push(`${reference} is credited twice`);
    if (!known.payments.has(reference)) known.payments.set(reference, { uid, points });
  }
  for (const [id, payment] of known.payments) {
    const credit = credits.find(({ reference }) => reference === id);
    if (payment.uid === uid && credit?.points !== payment.points) wrong.push(`payment ${id} is not credited`);
  }
  return wrong;
}

type Ledger = components['schemas']['Ledger'];

function entriesOf(uid: string, { urls, admin }: At): Promise<Ledger['items']> {
  return listed(`${urls.sandbox}/ledger/${uid}`, admin);
}

function ordersIn({ urls, admin }: At): Promise<PlacedOrder[]> {
  return listed(`${urls.sandbox}/orders?after=0&limit=1000`, admin);
}

/** The ids of the snapshots, oldest first. */
export async function snapshotIds({ urls, admin }: At): Promise<string[]> {
  const snapshots = await listed<{ id: string }>(`${urls.sandbox}/snapshots`, admin);
  return snapshots.map(({ id }) => id);
}
