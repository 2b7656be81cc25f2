import { beginLog } from '../activity-log/stored-log.ts';
import type { Meta, WorkspaceCollections } from '../assembly/collections.ts';
import { newLife, usualLife } from '../assembly/life.ts';
import type { Parties } from '../assembly/parties.ts';
import { skipEntries } from '../assembly/partner-figures.ts';
import { rootOf, streamsOf } from '../assembly/settings.ts';
import type { Directory } from '../client/directory.ts';
import type { DemoData } from '../client/profiles.ts';
import {
  seedCredit,
  seedCustomers,
  seedCustomersWithPast,
  seedMagicCustomers,
  seedRedemption,
} from '../client/seed.ts';
import type { Answers } from '../conformance/answers.ts';
import { magicCustomers, magicItems } from '../magic/table.ts';
import { OptionError } from '../options.ts';
import { itemOf } from '../platform/catalogue.ts';
import { seedCatalogue, seedMagicItems, seedOrder, seedPayment, seedUncommon } from '../platform/seed.ts';
import { type ClockMode, freshClock, resumeClock } from '../runtime/clock.ts';
import { numberedId, placeStream, SeededRandom } from '../runtime/ids.ts';
import { nothing } from '../store/row.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { ruleOf } from '../vendors/outcomes.ts';
import { drawBeside, drawVoucherCode, vendorCodes } from '../vendors/vendors.ts';
import { carryOver } from './snapshots.ts';

/** The stored record of a workspace. It has no `life` if an older version wrote it. */
type Stored = Omit<Meta, 'life'> & Partial<Pick<Meta, 'life'>>;

/** The options of a start. */
export interface StartWish {
  readonly seed?: string;
  readonly demoData?: DemoData;
  readonly clock?: ClockMode;
  /** Answers to open points. They replace the answers in the data. */
  readonly answers?: Answers | undefined;
  readonly adminToken: string;
  /** Settings given at the start. They override the settings in the data. */
  readonly given: Meta['settings'];
  /** The host and a random root for secrets, if other machines can reach the sandbox (OP-55). */
  readonly exposed: { readonly host: string; readonly root: string } | undefined;
  /** The time of the newest entry in the data. See `resumedMeta`. */
  readonly newest?: number | undefined;
}

/** Minimum length of a seed that counts as a secret. */
const secretLength = 16;

/**
 * Returns the state in which the demo workspace starts: continued from stored data, or new. Throws `OptionError` if
 * others could compute the secrets.
 */
export function startOf(
  stored: Stored | undefined,
  wish: StartWish,
  realTime: number,
  warn: (message: string) => void,
): Meta {
  if (stored === undefined) {
    const clock = freshClock(wish.clock ?? 'running');
    const { seed = 'demo', demoData, answers, adminToken, given } = wish;
    const begins = {
      starts: 1,
      clock,
      settings: given,
      given,
      life: newLife(realTime, null),
      ...(demoData && { demoData }),
      ...(answers && { answers }),
    };
    return { id: 'demo', root: newRoot(wish, warn), adminToken, seed, ...begins };
  }
  const { root, seed } = stored;
  if (wish.exposed !== undefined && root === rootOf(seed) && seed.length < secretLength) {
    const reached = `other machines can reach ${wish.exposed.host}`;
    const remedy = 'use another data folder (--data), or a loopback address';
    throw new OptionError(`The secrets in this data are derived from the seed ${seed}, and ${reached}: ${remedy}.`);
  }
  if (wish.seed !== undefined && wish.seed !== stored.seed) {
    warn(`This data was created with seed ${stored.seed}; the seed ${wish.seed} is ignored.`);
  }
  const { demoData: kind = 'impossible' } = stored;
  if (wish.demoData !== undefined && wish.demoData !== kind) {
    warn(`This data was created with ${kind} demo data; --demo-data ${wish.demoData} is ignored.`);
  }
  const { answers, adminToken, given } = wish;
  return {
    ...resumedMeta(stored, realTime, wish.newest, wish.clock),
    adminToken,
    given,
    settings: { ...stored.settings, ...given },
    ...(answers && { answers }),
  };
}

/**
 * Returns the root of secrets for new data. It is derived from the seed if the sandbox listens on loopback only, or if
 * the seed is itself a secret.
 */
function newRoot({ seed, exposed }: StartWish, warn: (message: string) => void): string {
  if (exposed === undefined) return rootOf(seed ?? 'demo');
  if (seed === undefined) {
    const means = 'read them with GET /sandbox/v1/workspace and the admin token';
    warn(`The secrets of the demo workspace are private: ${means}.`);
    return exposed.root;
  }
  if (seed.length >= secretLength) return rootOf(seed);
  const reached = `other machines can reach ${exposed.host}`;
  const remedy = `use an unguessable seed of at least ${secretLength} characters, or none`;
  throw new OptionError(`Secrets are derived from --seed, and ${reached}: ${remedy}.`);
}

/**
 * Returns the state in which a workspace continues after a restart. By default, its clock stays in the stored mode.
 *
 * @param newest the time of the newest entry in the data; sandbox time never starts before it
 */
export function resumedMeta(
  stored: Stored,
  realTime: number,
  newest: number | undefined,
  mode: ClockMode = stored.clock.mode,
): Meta {
  const { life = newLife(realTime, stored.id === 'demo' ? null : usualLife) } = stored;
  return { ...stored, starts: stored.starts + 1, clock: resumeClock(stored.clock, mode, realTime, newest), life };
}

/** The parts of a workspace that a seed determines. */
type Seeded = Pick<Parties, 'clock' | 'random' | 'traces'>;

/**
 * Replaces everything in the workspace with seeded data, in one step: clock, catalogue and customers. The settings
 * return to the defaults and the values given at the start. The random streams return to their beginning.
 */
export async function seedWorkspace(
  store: Store<WorkspaceCollections>,
  parts: Seeded,
  directory: Directory,
  meta: Meta,
): Promise<void> {
  const change = (tx: Tx<WorkspaceCollections>, before: Reader<WorkspaceCollections>) => {
    carryOver(before, tx);
    skipEntries(tx);
    beginLog(tx, before);
    // A reset preserves the deletion mark and the time of the last use.
    fill(tx, parts.clock, directory, before.get('meta', 'workspace') ?? meta, meta);
  };
  await store.replace({ content: nothing, change });
  begin(parts, meta);
}

/** Fills a workspace with empty collections from its seed, in one step. */
export async function seedEmpty(store: Store<WorkspaceCollections>, parts: Seeded, directory: Directory, meta: Meta) {
  await store.transact((tx) => fill(tx, parts.clock, directory, meta, meta));
  begin(parts, meta);
}

function fill(tx: Tx<WorkspaceCollections>, clock: Parties['clock'], directory: Directory, stored: Meta, meta: Meta) {
  const fresh = freshClock(clock.mode);
  const at = clock.now(fresh.value);
  // Demo data is not secret, and the documentation refers to it, so it depends only on the seed.
  const drawn = new SeededRandom(`${meta.seed}#1`);
  tx.put('meta', 'workspace', { ...stored, starts: 1, clock: fresh, settings: meta.given });
  placeStream(tx, streamsOf(meta, 1).records);
  seedCatalogue(tx, drawn);
  seedCustomers(tx, directory, drawn, at);
  seedMagic(tx, directory, at);
  seedUncommon(tx);
  seedCustomersWithPast(tx, directory);
  seedHistory(tx, new SeededRandom(`${meta.seed}#past`), at);
}

/** Resets the random streams in memory to their beginning. */
function begin({ random, traces }: Seeded, meta: Meta): void {
  const streams = streamsOf(meta, 1);
  random.resume(streams.spans);
  traces.resume(streams.traces);
}

/** Adds missing magic values (OP-72). Changed values stay changed until a reset. */
function seedMagic(tx: Tx<WorkspaceCollections>, directory: Directory, at: number): void {
  for (const { value, vendor } of seedMagicItems(tx, magicItems)) {
    if (vendor !== undefined) tx.put('outcomes', value, ruleOf(value, vendor));
  }
  seedMagicCustomers(tx, directory, magicCustomers, at);
}

/** Continues with stored data: records the start, and adds missing magic values. */
export function continueStored(tx: Tx<WorkspaceCollections>, meta: Meta, directory: Directory, now: number): void {
  tx.put('meta', 'workspace', meta);
  seedMagic(tx, directory, now);
}

/** An action of a demo customer, a number of days before the workspace started. */
type Deed = { readonly uid: string; readonly days: number } & (
  | { readonly paid: string }
  | {
      readonly sku: string;
      readonly quantity: number;
      readonly end: 'Pending' | 'Delivered' | 'Rejected';
      readonly remark?: string;
    }
);

/** All actions are older than the month for which messages are stored, and older than every default threshold (OP-162). */
const deeds: readonly Deed[] = [
  { uid: 'CUST0027', days: 420, paid: '185000.00' },
  { uid: 'CUST0027', days: 410, sku: 'EGV-CHAI-250', quantity: 2, end: 'Delivered' },
  { uid: 'CUST0030', days: 300, paid: '240999.50' },
  { uid: 'CUST0030', days: 260, sku: 'EGV-SPA-1000', quantity: 1, end: 'Delivered' },
  { uid: 'CUST0028', days: 150, paid: '99500' },
  { uid: 'CUST0027', days: 120, sku: 'EGV-SPA-1000', quantity: 1, end: 'Delivered' },
  { uid: 'CUST0026', days: 95, paid: '64250.75' },
  { uid: 'CUST0028', days: 90, sku: 'EGV-HOTEL-500', quantity: 1, end: 'Rejected', remark: 'Product out of stock' },
  { uid: 'CUST0030', days: 80, sku: 'EGV-SWEETS-500', quantity: 1, end: 'Rejected', remark: 'Not sold in this region' },
  { uid: 'CUST0029', days: 75, paid: '130000' },
  { uid: 'CUST0030', days: 60, sku: 'EGV-MUSIC-250', quantity: 1, end: 'Delivered' },
  { uid: 'CUST0026', days: 50, paid: '12000' },
  { uid: 'CUST0029', days: 45, sku: 'PHY-UMBRELLA-02', quantity: 1, end: 'Pending' },
  { uid: 'CUST0030', days: 40, sku: 'EGV-YOGA-250', quantity: 1, end: 'Pending' },
];

const day = 24 * 3600 * 1000;
/** The number of the first past id. It is high, so that new ids start at 1. */
const firstId = 900_001;

/** Records the past actions of demo customers with the platform, the client and the vendors (OP-162). */
function seedHistory(tx: Tx<WorkspaceCollections>, random: SeededRandom, start: number): void {
  for (const [index, deed] of deeds.entries()) {
    const past = { at: start - deed.days * day, number: firstId + index };
    if ('sku' in deed) seedOrdered(tx, random, { ...deed, ...past });
    else seedPaid(tx, { ...deed, ...past });
  }
}

/** The time of a past action, and the number for its ids. */
interface Past {
  readonly at: number;
  readonly number: number;
}

function seedPaid(tx: Tx<WorkspaceCollections>, deed: Extract<Deed, { paid: string }> & Past): void {
  const { uid, at, number, paid: paymentAmount } = deed;
  const payment = { uid, at, transactionId: numberedId('UPI', number), paymentAmount };
  const { points } = seedPayment(tx, payment);
  seedCredit(tx, { ...payment, points });
}

function seedOrdered(tx: Tx<WorkspaceCollections>, random: SeededRandom, deed: Extract<Deed, { sku: string }> & Past) {
  const { uid, at, number, sku, quantity, end, remark = '' } = deed;
  const item = itemOf(tx, sku);
  if (item === undefined) throw new Error(`the demo catalogue has no ${sku}`);
  const order_id = `${numberedId('ORD', number)}-${random.code(4)}`;
  const redeemCode = `${numberedId('RDM', number)}-${random.code(6)}`;
  const isVoucher = item.product_type === 'EGV';
  const units = isVoucher && end === 'Delivered' ? quantity : 0;
  const vouchers = Array.from({ length: units }, () => {
    return { voucherCode: drawVoucherCode(random), ...drawBeside(random, item.voucherForm) };
  });
  for (const { voucherCode } of vouchers) tx.add('handedOut', voucherCode, redeemCode);
  const partnerCode = vendorCodes[item.vendor];
  const orderFields = { uid, at, redeemCode, end };
  const { points } = seedOrder(tx, { ...orderFields, order_id, sku, quantity, partnerCode, vouchers, remark });
  const { totalPointWithProcessingFee: deducted } = points;
  seedRedemption(tx, { ...orderFields, points: deducted, vouchers: isVoucher, reason: remark });
}
