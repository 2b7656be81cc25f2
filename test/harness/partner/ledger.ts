/** The server's in-memory ledger of accounts, credits and redemptions. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Has, MistakeName } from './mistakes.ts';
import { raceWindow } from './race.ts';
import { done, type Reply, refuse } from './replies.ts';
import type { PartnerSettings } from './settings.ts';

/** The API version that a call uses. */
type Version = 1 | 2;

/** A customer's totals. */
interface Account {
  earned: number;
  redeemed: number;
}

/** A requested deduction. The fingerprint covers all its values, and a repeat must have the same one. */
interface Deduction {
  readonly uid: string;
  readonly points: number;
  readonly redeemPoints: number;
  readonly fingerprint: string;
}

/** A redemption and its state. */
type Redemption =
  | (Deduction & { readonly state: 'Pending' | 'Delivered' | 'Rejected' })
  /** A redemption rejected before its deduction. */
  | { readonly state: 'Refused' };

/** The points that a payment earned. */
interface Credit {
  readonly uid: string;
  readonly transactionId: string;
  readonly points: number;
  readonly fingerprint: string;
}

/** Waits between reading and writing. Other calls run meanwhile, unless they are serialized. */
type Pause = () => Promise<unknown>;

/** Resolves to whether the caller disconnected before the reply. */
type CallerLeft = () => Promise<boolean>;
const callerStays: CallerLeft = () => Promise.resolve(false);

/** An in-memory ledger. Work on the same code or account runs serially. */
export class Ledger {
  readonly #accounts = new Map<string, Account>();
  readonly #credits = new Map<string, string>();
  readonly #redemptions = new Map<string, Redemption>();
  readonly #reversals: { readonly uid: string; readonly points: number }[] = [];
  readonly #turns = new Turns();
  readonly #settings: PartnerSettings;
  readonly #has: Has;

  constructor(settings: PartnerSettings, has: Has) {
    this.#settings = settings;
    this.#has = has;
    for (const [uid, earned] of Object.entries(settings.balances)) {
      this.#accounts.set(uid, { earned, redeemed: 0 });
      if (has('v2-own-ledger')) this.#accounts.set(`2 ${uid}`, { earned, redeemed: 0 });
    }
  }

  /** Returns a customer's points, or `undefined` if the customer is unknown. */
  points(uid: string, version: Version) {
    const account = this.#account(uid, version);
    if (account === undefined) return undefined;
    const { earned, redeemed } = account;
    const totalEarned = this.#has('earned-fixed') ? this.#settings.balances[uid] : earned;
    const totalRedeemed = this.#has('redeemed-fixed') ? 0 : redeemed;
    return { totalEarned: totalEarned ?? 0, balance: earned - redeemed, totalRedeemed };
  }

  /** Returns the uid of the customer who made a redemption. */
  holder(redeemCode: string): string | undefined {
    const redemption = this.#redemptions.get(redeemCode);
    return redemption?.state === 'Refused' ? undefined : redemption?.uid;
  }

  /** Records a credit, once per transactionId. */
  credit({ uid, transactionId, points, fingerprint }: Credit, callerLeft: CallerLeft): Promise<Reply> {
    return this.#once(`credit ${transactionId}`, ['credit-twice-parallel'], async (pause) => {
      const firstFingerprint = this.#credits.get(transactionId);
      const verdict =
        firstFingerprint === undefined ? undefined : this.#replyToRepeatedCredit(firstFingerprint === fingerprint);
      if (verdict !== undefined) return verdict;
      const account = this.#account(uid, 1);
      if (account === undefined) return this.#has('credit-unknown-customer') ? done : refuse('unknown_customer');
      await pause();
      if (!this.#has('credit-nothing')) account.earned += points;
      const isForgotten = this.#has('credit-lost-reply') && (await callerLeft());
      if (!isForgotten) this.#credits.set(transactionId, fingerprint);
      return done;
    });
  }

  /** Returns the reply to a credit with a known transactionId, or `undefined` if the credit must still be recorded. */
  #replyToRepeatedCredit(same: boolean): Reply | undefined {
    if (same) {
      if (this.#has('credit-repeat-refused')) return refuse('transaction_conflict');
      return this.#has('credit-twice') ? undefined : done;
    }
    if (this.#has('credit-other-values')) return done;
    return this.#has('credit-other-values-booked') ? undefined : refuse('transaction_conflict');
  }

  /** Deducts points, once per redeemCode, if the balance covers them. */
  deduct(
    redeemCode: string,
    deduction: Deduction,
    version: Version,
    callerLeft: CallerLeft = callerStays,
  ): Promise<Reply> {
    const [one, two] = ['deduct-twice-parallel', 'v2-redeem-twice-parallel'] as const;
    return this.#once(`redemption ${redeemCode}`, [version === 1 ? one : two], async (pause) => {
      const redemption = this.#redemptions.get(redeemCode);
      const verdict = redemption && this.#replyToRepeat(redemption, deduction, version);
      if (verdict !== undefined) return verdict;
      await pause();
      const reply = await this.#take(redeemCode, deduction, version);
      const lost = version === 1 ? 'deduct-lost-reply' : 'v2-redeem-lost-reply';
      if (this.#has(lost) && (await callerLeft())) this.#redemptions.delete(redeemCode);
      return reply;
    });
  }

  #replyToRepeat(redemption: Redemption, deduction: Deduction, version: Version): Reply | undefined {
    if (redemption.state === 'Refused') return refuse('order_already_rejected');
    if (redemption.state === 'Rejected') {
      return this.#has(version === 1 ? 'rejected-code-reused' : 'v2-code-reused')
        ? undefined
        : refuse('order_already_rejected');
    }
    if (redemption.fingerprint === deduction.fingerprint) {
      if (this.#hasInVersion1(version, 'deduct-repeat-refused')) return refuse('redemption_conflict');
      return this.#has(version === 1 ? 'deduct-twice' : 'v2-redeem-twice') ? undefined : done;
    }
    if (this.#has(version === 1 ? 'deduct-other-values' : 'v2-other-values')) return done;
    return this.#hasInVersion1(version, 'deduct-other-values-booked') ? undefined : refuse('redemption_conflict');
  }

  #take(redeemCode: string, deduction: Deduction, version: Version): Promise<Reply> {
    const { uid, points } = deduction;
    const races =
      version === 1 ? (['overdraw-parallel', 'lost-update-parallel'] as const) : (['v2-overdraw-parallel'] as const);
    return this.#once(`account ${uid}`, races, async (pause) => {
      const account = this.#account(uid, version);
      if (account === undefined) return this.#has('deduct-unknown-customer') ? done : refuse('unknown_customer');
      const read = account.redeemed;
      const balance = account.earned - read - this.#unspendablePoints(uid);
      if (points > balance && !this.#has(version === 1 ? 'overdraw' : 'v2-overdraw')) {
        if (this.#hasInVersion1(version, 'deduct-on-refusal')) account.redeemed += balance;
        return refuse('points_changed');
      }
      await pause();
      const before = this.#hasInVersion1(version, 'lost-update-parallel') ? read : account.redeemed;
      account.redeemed = before + this.#pointsToDeduct(deduction, version);
      this.#redemptions.set(redeemCode, { ...deduction, state: 'Pending' });
      return done;
    });
  }

  #pointsToDeduct({ points, redeemPoints }: Deduction, version: Version): number {
    if (this.#has(version === 1 ? 'deduct-nothing' : 'v2-redeem-nothing')) return 0;
    return this.#hasInVersion1(version, 'deduct-redeem-points') ? redeemPoints : points;
  }

  /** Returns the points in the balance that cannot be spent. */
  #unspendablePoints(uid: string): number {
    if (!this.#has('reversal-not-spendable')) return 0;
    return this.#reversals.findLast((reversal) => reversal.uid === uid)?.points ?? 0;
  }

  /** Records the outcome of a redemption. */
  report(
    redeemCode: string,
    status: 'Pending' | 'Delivered' | 'Rejected',
    version: Version = 1,
    callerLeft: CallerLeft = callerStays,
  ): Promise<Reply> {
    const [one, two] = ['reversal-twice-parallel', 'v2-reverse-twice-parallel'] as const;
    return this.#once(`redemption ${redeemCode}`, [version === 1 ? one : two], async (pause) => {
      const redemption = this.#redemptions.get(redeemCode);
      if (redemption === undefined || redemption.state === 'Refused')
        return this.#replyToUnknownCode(redeemCode, status, version);
      const verdict = this.#replyWithoutEffect(redemption, status, version);
      if (verdict !== undefined) return verdict;
      await pause();
      this.#redemptions.set(redeemCode, { ...redemption, state: status });
      this.#settle(redemption, status, version);
      if (status === 'Rejected' && this.#has('reversal-all')) this.#rejectOthers(redemption.uid);
      if (this.#has('reversal-lost-reply') && (await callerLeft())) this.#redemptions.set(redeemCode, redemption);
      return done;
    });
  }

  /** Reverses a deduction through version 2.0. The points must equal those deducted. */
  async reverse(redeemCode: string, points: number): Promise<Reply> {
    const redemption = this.#redemptions.get(redeemCode);
    if (redemption !== undefined && redemption.state !== 'Refused' && redemption.points !== points) {
      if (!this.#has('v2-reverse-other-points')) return refuse('redemption_conflict');
      this.#redemptions.set(redeemCode, { ...redemption, points });
    }
    return this.report(redeemCode, 'Rejected', 2);
  }

  #replyToUnknownCode(redeemCode: string, status: string, version: Version): Reply {
    const forgets = this.#has(version === 1 ? 'no-tombstone' : 'v2-no-tombstone');
    if (status === 'Rejected' && !forgets) this.#redemptions.set(redeemCode, { state: 'Refused' });
    return this.#has(version === 1 ? 'unknown-code-200' : 'v2-unknown-code-200') ? done : refuse('unknown_redeem_code');
  }

  /** Returns the reply to a report that has no effect, or `undefined` if the report changes the redemption. */
  #replyWithoutEffect({ state }: Deduction & Redemption, status: string, version: Version): Reply | undefined {
    if (state === 'Pending') return status === 'Pending' && !this.#has('pending-gives-back') ? done : undefined;
    if (state === status) {
      if (this.#hasInVersion1(version, 'report-repeat-refused')) return refuse(conflict(state));
      const again = this.#has(version === 1 ? 'reversal-twice' : 'v2-reverse-twice');
      return state === 'Rejected' && again ? undefined : done;
    }
    if (state === 'Rejected' && status === 'Delivered' && this.#has('delivered-after-rejected')) return undefined;
    if (state === 'Rejected' && status === 'Delivered' && this.#has('delivered-takes-back')) return undefined;
    if (state === 'Delivered' && status === 'Rejected' && this.#has('rejected-after-delivered')) return undefined;
    return refuse(conflict(state));
  }

  #rejectOthers(uid: string): void {
    for (const [code, other] of this.#redemptions) {
      if (other.state !== 'Pending' || other.uid !== uid) continue;
      this.#redemptions.set(code, { ...other, state: 'Rejected' });
      this.#settle(other, 'Rejected', 1);
    }
  }

  #settle({ uid, points, redeemPoints, state }: Deduction & Redemption, status: string, version: Version): void {
    const account = this.#account(uid, version);
    if (account === undefined) throw new Error(`no account of ${uid}`);
    if (status === 'Delivered') {
      if (this.#has('delivered-deducts')) account.redeemed += points;
      if (this.#has('delivered-takes-back') && state === 'Rejected') account.redeemed += points;
      if (this.#has('delivered-gives-back')) account.redeemed -= points;
      return;
    }
    if (this.#has(version === 1 ? 'no-reversal' : 'v2-no-reverse')) return;
    this.#reversals.push({ uid, points });
    if (this.#hasInVersion1(version, 'reversal-earns')) account.earned += points;
    else account.redeemed -= this.#has('reversal-redeem-points') ? redeemPoints : points;
  }

  /** Runs the work while no other work with this key runs, unless the server has one of these races. */
  #once(key: string, races: readonly MistakeName[], work: (pause: Pause) => Promise<Reply>): Promise<Reply> {
    if (races.some((race) => this.#has(race))) return work(() => raceWindow(this.#settings.raceMs));
    return this.#turns.take(key, () => work(() => nextTurn()));
  }

  /** Checks whether this is a version 1.0 call and the server has the mistake. */
  #hasInVersion1(version: Version, mistake: MistakeName): boolean {
    return version === 1 && this.#has(mistake);
  }

  #account(uid: string, version: Version): Account | undefined {
    return this.#accounts.get(version === 2 && this.#has('v2-own-ledger') ? `2 ${uid}` : uid);
  }
}

function conflict(state: string) {
  return state === 'Delivered' ? 'order_already_delivered' : 'order_already_rejected';
}

/** Serializes work by key. Each task starts after the previous one has ended. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work with this key has ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, mine);
    const leave = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(leave, leave);
    return mine;
  }
}
