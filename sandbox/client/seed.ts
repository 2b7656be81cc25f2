import { balance, decide, evolve, type RedemptionCommand } from '../domain/ledger.ts';
import type { MagicCustomer } from '../magic/table.ts';
import { digits, type SeededRandom } from '../runtime/ids.ts';
import { digest } from '../runtime/tokens.ts';
import type { ClientTx } from './collections.ts';
import type { Directory } from './directory.ts';
import { bookOrThrow, creditFingerprint, customerOf } from './ledger.ts';

/** The number of demo customers without a history. */
const customers = 25;
/** Balances of the first customers, fixed so that guides can mention them. The others are random. */
const fixedBalances = [25_000, 0, 100, 500, 5_000];

/** Adds the demo customers CUST0001 to CUST0025, each with a different balance, booked at `at`. */
export function seedCustomers(tx: ClientTx, directory: Directory, random: SeededRandom, at: number): void {
  const balances = new Set(fixedBalances);
  while (balances.size < customers) balances.add(50 * (1 + random.integer(400)));
  [...balances].forEach((balance, index) => {
    directory.add(tx, `CUST${digits(index + 1, 4)}`, { balance }, { at });
  });
}

/** Profiles of the customers with a history, from CUST0026 on (OP-162). Some have no email address, like real customers (R9). */
const withPast = [{}, {}, {}, {}, { email: '' }, { email: '' }];

/** Adds the demo customers that will have a history, with no points yet. */
export function seedCustomersWithPast(tx: ClientTx, directory: Directory): void {
  for (const [index, profile] of withPast.entries()) {
    directory.add(tx, `CUST${digits(customers + index + 1, 4)}`, { profile });
  }
}

/** Adds the magic customers. Existing customers do not change. */
export function seedMagicCustomers(tx: ClientTx, directory: Directory, rows: readonly MagicCustomer[], at: number) {
  for (const { value, balance } of rows) directory.add(tx, value, { balance }, { unlisted: true, at });
}

/** The sequence number of the past. It precedes everything in a new workspace's activity log. */
const pastSeq = 1;

/** A past payment and the points credited for it. */
interface PastCredit {
  readonly uid: string;
  readonly at: number;
  readonly transactionId: string;
  readonly paymentAmount: string;
  readonly points: number;
}

/** A past redemption and its final report. */
interface PastRedemption {
  readonly uid: string;
  readonly at: number;
  readonly redeemCode: string;
  readonly points: number;
  readonly vouchers: boolean;
  readonly end: 'Pending' | 'Delivered' | 'Rejected';
  readonly reason: string;
}

/** Milliseconds from a deduction to its report: the vendors' default delay (OP-35). */
const untilEnd = 2_000;

/** Books a past credit. It sends no message, because an old one would have expired (OP-57). */
export function seedCredit(tx: ClientTx, past: PastCredit): void {
  const { uid, at, transactionId, paymentAmount, points } = past;
  bookOrThrow(tx, uid, { kind: 'credit', points, reference: transactionId }, { at, seq: pastSeq });
  tx.put('credits', transactionId, {
    fingerprint: creditFingerprint({ uid, eventType: 'DIGITAL_PAYMENT', paymentAmount, points }),
  });
}

/** Books a past redemption by the usual rules. Its timeout has passed, so it schedules no work (OP-22). */
export function seedRedemption(tx: ClientTx, past: PastRedemption): void {
  const { uid, redeemCode, points, vouchers, end, reason } = past;
  const fingerprint = digest(JSON.stringify([redeemCode, points]));
  carryOut(tx, past, { type: 'save', uid, points, fingerprint, vouchers });
  carryOut(tx, { ...past, at: past.at + untilEnd }, { type: 'report', status: end, reason });
}

function carryOut(tx: ClientTx, { uid, at, redeemCode }: PastRedemption, command: RedemptionCommand): void {
  const before = tx.get('redemptions', redeemCode);
  const { events, failure } = decide(before, command, balance(customerOf(tx, uid).account));
  if (failure !== undefined) throw new Error(`the demo redemption ${redeemCode} was refused: ${failure.kind}`);
  for (const event of events) {
    tx.put('redemptions', redeemCode, evolve(tx.get('redemptions', redeemCode), event));
    if (event.type !== 'deducted' && event.type !== 'reversed') continue;
    const kind = event.type === 'deducted' ? 'deduct' : 'reverse';
    bookOrThrow(tx, uid, { kind, points: event.points, reference: redeemCode }, { at, seq: pastSeq });
  }
}
