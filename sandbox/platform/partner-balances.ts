import { type BalanceChange, verdictOf, worthReading } from '../domain/balance.ts';
import type { Answer } from '../domain/failures.ts';
import type { Outstanding, PlatformPosition } from '../domain/reconciliation.ts';
import { aboutWork } from '../jobs/work.ts';
import type { Slice } from '../store/row.ts';
import type { Reader } from '../store/store.ts';
import { isOpen, readAndCompare } from './balances.ts';
import type { BalanceAccount, Line, Order, PlatformCollections } from './collections.ts';
import { orderOf } from './orders.ts';
import type { Platform } from './platform.ts';

/** The page to return. */
interface Ask {
  readonly after: string;
  readonly limit: number;
  /** Whether to read the balances from the partner's server first. */
  readonly read: boolean;
  readonly trace: string;
}

/**
 * Limits of one request: customers per slice (also the number of reads), and customers examined. The last slice may
 * exceed these limits (OP-111).
 */
const slice = 50;
const mostLookedAt = 5_000;
/** Maximum number of concurrent reads: below the limit of concurrent calls to one address (OP-61), so that orders are not delayed. */
const atOnce = 2;

/** Checks customers' balances at a partner's own server against that server's earlier responses (OP-110, OP-111). */
export class PartnerBalances {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /**
   * Returns the unconfirmed balances of customers after `after`; `undefined` with the reference client. `next` is the last
   * customer examined; `null` if there are no more.
   */
  async page({ after, limit, read, trace }: Ask) {
    const url = this.#platform.partnerUrl();
    if (url === undefined) return undefined;
    const { store } = this.#platform;
    const found = [];
    let last = after;
    let lookedAt = 0;
    let reads = 0;
    while (found.length <= limit && lookedAt < mostLookedAt && reads < slice) {
      const accounts = store.range('accounts', { after: last, limit: slice });
      const here = accounts.filter((account) => account.url === url);
      if (read) reads += await this.#readAll(here, trace);
      found.push(...here.flatMap(({ uid }) => this.#judge(uid)));
      lookedAt += accounts.length;
      last = accounts.at(-1)?.uid ?? last;
      if (accounts.length < slice) return { found, next: null };
    }
    return { found, next: last };
  }

  /** Reads the balances that can yield new information. Stops if the server does not respond. Returns the number of balances to read. */
  async #readAll(accounts: readonly BalanceAccount[], trace: string): Promise<number> {
    const waiting = accounts.filter((account) => worthReading(account) && !isOpen(this.#platform.store, account.uid));
    const all = waiting.length;
    const inTurn = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const answer = await this.#read(next, trace);
        // Stop reading if the server is down.
        if (answer.kind === 'no_answer') waiting.length = 0;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, inTurn));
    return all;
  }

  #read(account: BalanceAccount, trace: string): Promise<Answer> {
    const { client } = this.#platform;
    const { uid, version } = account;
    return version === 'v2'
      ? readAndCompare(this.#platform, account, () => client.getCustomerPoints(uid, trace))
      : readAndCompare(this.#platform, account, () => client.getProfileAndPoints(uid, trace));
  }

  /** Returns a mismatched or unverifiable balance. */
  #judge(uid: string) {
    const { store } = this.#platform;
    const account = store.get('accounts', uid);
    if (account === undefined) return [];
    const open = store.find('openChanges', 'uid', uid);
    const difference = account.explained + account.unexplained;
    const verdict = verdictOf(account, { open, pending: difference < 0 ? this.#pending(uid) : 0 });
    return verdict === undefined ? [] : [{ account, verdict, outstanding: this.#outstanding(verdict.changes) }];
  }

  /** Returns the points of the customer's pending lines. */
  #pending(uid: string): number {
    const { store } = this.#platform;
    const pending = store.find('lines', 'pending', uid);
    const waiting = pending.filter(({ order_id }) => orderOf(store, order_id).state === 'placed');
    return waiting.reduce((sum, { points }) => sum + points.totalPointWithProcessingFee, 0);
  }

  /** Returns whether work on any of the changes is due or parked. */
  #outstanding(changes: readonly BalanceChange[]): Outstanding {
    const { store } = this.#platform;
    const outstanding = outstandingIn(store);
    const all = changes.map(({ kind, reference }) => {
      if (kind === 'credit') return outstanding.ofPayment(reference);
      const line = store.get('lines', reference);
      return line === undefined ? 'none' : outstanding.ofLine(line);
    });
    return all.find((one) => one === 'due') ?? all.find((one) => one === 'parked') ?? 'none';
  }
}

type PlatformReader = Reader<PlatformCollections>;

/** Returns the platform's view of a redemption, or `undefined` if the platform does not have it. */
export function platformPosition(reader: PlatformReader, redeemCode: string): PlatformPosition | undefined {
  const line = reader.get('lines', redeemCode);
  if (line === undefined) return undefined;
  return position(line, orderOf(reader, line.order_id).state, outstandingIn(reader).ofLine(line));
}

/** Collects every redemption of the platform while the store is read in slices. */
export class PlatformPositions {
  readonly #lines: Line[] = [];
  readonly #placing = new Set<string>();
  readonly #work = { due: new Set<string>(), parked: new Set<string>() };

  take({ collection, rows }: Slice): void {
    if (collection === 'lines') for (const { record } of rows) this.#lines.push(record as Line);
    if (collection === 'orders') {
      for (const { id, record } of rows) if ((record as Order).state === 'placing') this.#placing.add(id);
    }
    if (collection === 'due' || collection === 'parked') {
      for (const { record } of rows) {
        const about = aboutWork(record as Parameters<typeof aboutWork>[0]);
        if (about !== undefined) this.#work[collection].add(about);
      }
    }
  }

  /** Returns all collected redemptions, oldest first. */
  all(): PlatformPosition[] {
    const outstanding = outstandingOf((collection, about) => this.#work[collection].has(about));
    return this.#lines.map((line) =>
      position(line, this.#placing.has(line.order_id) ? 'placing' : 'placed', outstanding.ofLine(line)),
    );
  }
}

/** Returns functions that check whether work on a line or payment is due or parked. */
export function outstandingIn(reader: PlatformReader) {
  return outstandingOf((collection, about) => reader.find(collection, 'about', about).length > 0);
}

/**
 * Considers only work that can still change the status of a redemption or credit a payment. `has` returns whether the
 * collection contains a work item about a subject (`aboutWork`).
 */
function outstandingOf(has: (collection: 'due' | 'parked', about: string) => boolean) {
  const of = (pieces: readonly string[]): Outstanding => {
    if (pieces.some((about) => has('due', about))) return 'due';
    return pieces.some((about) => has('parked', about)) ? 'parked' : 'none';
  };
  return {
    ofLine: ({ redeemCode, order_id }: Line) =>
      of([`fulfilLine ${redeemCode}`, `reportStatus ${redeemCode}`, `abandonOrder ${order_id}`]),
    ofPayment: (transactionId: string) => of([`creditPoints ${transactionId}`]),
  };
}

function position(line: Line, order: Order['state'], outstanding: Outstanding): PlatformPosition {
  const { redeemCode, uid } = line;
  const state = order === 'placing' ? 'Placing' : line.status;
  const stands = state === 'Pending' || state === 'Delivered';
  const points = stands ? line.points.totalPointWithProcessingFee : 0;
  return { redeemCode, uid, state, points, outstanding };
}
