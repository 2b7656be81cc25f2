import { type BalanceChange, type BalanceVerdict, verdictOf, worthReading } from '../domain/balance.ts';
import type { Answer } from '../domain/failures.ts';
import type { Outstanding } from '../domain/reconciliation.ts';
import { isOpen, readAndCompare } from './balances.ts';
import type { BalanceAccount } from './collections.ts';
import { orderOf } from './order-resource.ts';
import type { Platform } from './platform.ts';
import { outstandingIn } from './positions.ts';

/** A balance that differs, or of which nobody knows whether it does. */
export interface JudgedBalance {
  readonly account: BalanceAccount;
  readonly verdict: BalanceVerdict;
  readonly outstanding: Outstanding;
}

/** A part of the customers, and the last of them where more follow. */
export interface JudgedBalances {
  readonly found: readonly JudgedBalance[];
  readonly next: string | null;
}

/** Which customers somebody wants to see. */
interface Ask {
  readonly after: string;
  readonly limit: number;
  /** Whether to read the balances from the partner's server first. */
  readonly read: boolean;
  readonly trace: string;
}

/** What one request looks at and reads, at the most but for one slice (OP-111). */
const slice = 50;
const mostLookedAt = 5_000;
/** Fewer than the calls that one address gets at once (OP-61), so that orders are not delayed. */
const atOnce = 2;

/** Customers' balances at a partner's own server, judged by what the server said (OP-110, OP-111). */
export class PartnerBalances {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** The customers after `after` whose balances are unconfirmed; undefined with the reference client. */
  async page({ after, limit, read, trace }: Ask): Promise<JudgedBalances | undefined> {
    const url = this.#platform.partnerUrl();
    if (url === undefined) return undefined;
    const { store } = this.#platform;
    const found: JudgedBalance[] = [];
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

  /** Reads the balances that can tell something new, up to the first that is not answered. Returns how many. */
  async #readAll(accounts: readonly BalanceAccount[], trace: string): Promise<number> {
    const waiting = accounts.filter((account) => worthReading(account) && !isOpen(this.#platform.store, account.uid));
    const all = waiting.length;
    const inTurn = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const answer = await this.#read(next, trace);
        // A server that is down gets no further reads.
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

  #judge(uid: string): JudgedBalance[] {
    const { store } = this.#platform;
    const account = store.get('accounts', uid);
    if (account === undefined) return [];
    const open = store.find('openChanges', 'uid', uid);
    const difference = account.explained + account.unexplained;
    const verdict = verdictOf(account, { open, pending: difference < 0 ? this.#pending(uid) : 0 });
    return verdict === undefined ? [] : [{ account, verdict, outstanding: this.#outstanding(verdict.changes) }];
  }

  /** Points of the customer's lines that have not ended. */
  #pending(uid: string): number {
    const { store } = this.#platform;
    const pending = store.find('lines', 'pending', uid);
    const waiting = pending.filter(({ order_id }) => orderOf(store, order_id).state === 'placed');
    return waiting.reduce((sum, { points }) => sum + points.totalPointWithProcessingFee, 0);
  }

  /** Whether the platform still works on one of the changes, or gave one up. */
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
