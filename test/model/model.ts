/**
 * An in-memory model of the whole interface, written from its statements and the register instead of the code. It
 * tracks customers' balances, the state of each redemption on both sides, vouchers, and the effects of passing time.
 */
import {
  type FaultKind,
  never,
  type OrderLine,
  type Outcome,
  type Sku,
  type Spender,
  type Status,
  type Target,
  type Version,
  vendorEffects,
} from './steps.ts';

export interface Line {
  /** Empty if the order was not placed, because no reply contains the code in that case. */
  readonly code: string;
  readonly uid: Spender;
  readonly sku: Sku;
  readonly quantity: number;
  readonly points: number;
  readonly version: Version;
  /** The status at the platform, or `failed` if the order was not placed. */
  platform: Status | 'failed';
  /** The status at the client, or `undefined` if no points were deducted. */
  client: Status | undefined;
  /** Whether the vendor has received the request but will never answer. */
  silent: boolean;
  /** Whether the client has checked the line at the threshold. The client does so only once. */
  thresholdChecked: boolean;
  /** Whether an unplaced order still needs a Rejected report, because the client may have deducted its points. */
  toReport: boolean;
}

/** A job that is due a number of seconds after the orders. Jobs run in the order of their causes (OP-24, OP-51). */
interface Job {
  readonly what: 'fulfil' | 'report';
  readonly line: Line;
  readonly at: number;
  readonly number: number;
  readonly tries: number;
}

export type Answer = 'accepted' | 'refused' | 'no_answer';
/** The outcome of an order: placed, or the code of the refusal (OP-13). */
export type Placed = 'placed' | 54 | 55 | 57;

/** Prices of the items in INR. They equal the points at the default value of a point. */
const prices: Record<Sku, number> = { 'EGV-CHAI-100': 100, 'EGV-SPICE-500': 500, 'PHY-TAWA-01': 899 };
/** Number of deduction attempts within an order call (OP-24). */
const deductionTries = 3;
/** Seconds until a vendor answers, and between two attempts. */
const vendorDelay = 2;
const vendorWait = 5;
/** Seconds between the attempts to send a report. */
const retries = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];

/**
 * The effect of a fault on a call: whether the call is executed, and whether the caller can read the reply (OP-70). A
 * caller recognizes a refusal by its status, regardless of the body (OP-101).
 */
interface Effect {
  readonly executed: boolean;
  readonly readable: 'all' | 'refusals' | 'none';
}

const effects: Record<FaultKind, Effect> = {
  status: { executed: false, readable: 'none' },
  reset: { executed: false, readable: 'none' },
  lost_reply: { executed: true, readable: 'none' },
  malformed: { executed: true, readable: 'refusals' },
  duplicate: { executed: true, readable: 'all' },
};

/** Calls whose reply the interface does not specify. Any 2xx is a success, regardless of the body (OP-102). */
const anyReply: ReadonlySet<Target> = new Set(['creditPoints', 'redeemPoints', 'reversePoints']);

export interface ModelState {
  readonly balances: Map<Spender, number>;
  readonly stock: Map<Sku, number>;
  readonly rules: Map<Sku, { outcome: Outcome; times: number }>;
  faults: { target: Target; kind: FaultKind; left: number }[];
  lines: Line[];
  orders: { id: string; lines: Line[] }[];
  payments: { id: string; uid: Spender; rupees: number; credited: boolean }[];
  onTimeout: 'wait' | 'reverse';
}

export class Model {
  state: ModelState;
  readonly #seeded: ModelState;
  readonly snapshots: { id: string; state: ModelState }[] = [];

  /** @param seeded the state of a new sandbox, which a reset restores */
  constructor(seeded: Pick<ModelState, 'balances' | 'stock'>) {
    this.#seeded = {
      ...seeded,
      rules: new Map(),
      faults: [],
      lines: [],
      orders: [],
      payments: [],
      onTimeout: 'wait' as const,
    };
    this.state = structuredClone(this.#seeded);
  }

  /** Returns the points of a line: unit points times quantity, plus one fee of 49 for a shipped product (OP-08, OP-09, OP-46). */
  pointsOf({ sku, quantity }: OrderLine): number {
    return prices[sku] * quantity + (sku.startsWith('PHY') ? 49 : 0);
  }

  /** Returns the effect of the first matching fault on a call, and decrements its remaining uses. */
  #useFault(target: Target): Effect {
    const fault = this.state.faults.find((set) => set.target === target && set.left > 0);
    if (fault === undefined) return { executed: true, readable: 'all' };
    fault.left -= 1;
    if (fault.kind === 'malformed' && anyReply.has(target)) return { executed: true, readable: 'all' };
    return effects[fault.kind];
  }

  /** Requests a customer's profile once on behalf of the platform. Returns whether the request succeeds. */
  asksForProfile(): boolean {
    return this.#useFault('getProfileAndPoints').readable === 'all';
  }

  /** Returns the number of calls to an operation that will still fail. */
  faultsLeft(target: Target): number {
    return this.state.faults.filter((set) => set.target === target).reduce((sum, { left }) => sum + left, 0);
  }

  #add(uid: Spender, points: number): void {
    this.state.balances.set(uid, (this.state.balances.get(uid) ?? 0) + points);
  }

  /** Places an order and states its points. Returns the outcome for the caller (G12, G13; OP-07, OP-23, OP-49). */
  order(
    uid: Spender,
    version: Version,
    orderLines: readonly OrderLine[],
    codes: readonly string[],
    id: string,
  ): Placed {
    const { stock, balances } = this.state;
    const quantityOf = (sku: Sku) =>
      orderLines.filter((line) => line.sku === sku).reduce((sum, { quantity }) => sum + quantity, 0);
    if (orderLines.some(({ sku }) => quantityOf(sku) > (stock.get(sku) ?? 0))) return 55;
    if (this.#useFault(version === 'v1' ? 'getProfileAndPoints' : 'getCustomerPoints').readable !== 'all') return 57;
    const lines = orderLines.map((line, at): Line => {
      const drawn = { code: codes[at] ?? '', uid, version, points: this.pointsOf(line) };
      return {
        ...line,
        ...drawn,
        platform: 'failed',
        client: undefined,
        silent: false,
        thresholdChecked: false,
        toReport: false,
      };
    });
    if (lines.reduce((sum, { points }) => sum + points, 0) > (balances.get(uid) ?? 0)) return 54;
    this.state.lines.push(...lines);
    for (const line of lines) if (!this.#deduct(line)) return 57;
    for (const line of lines) Object.assign(line, { platform: 'Pending', toReport: false });
    this.state.orders.push({ id, lines });
    return 'placed';
  }

  #deduct(line: Line): boolean {
    line.toReport = true;
    for (let tries = 0; tries < deductionTries; tries += 1) {
      const { executed, readable } = this.#useFault(line.version === 'v1' ? 'saveRedeemDetails' : 'redeemPoints');
      if (executed && line.client === undefined) {
        line.client = 'Pending';
        this.#add(line.uid, -line.points);
      }
      if (readable === 'all') return true;
    }
    return false;
  }

  /**
   * Returns the points for a payment: one for each full 100 INR (OP-09, OP-46). For a new payment, the platform
   * requests the profile (OP-130).
   */
  pay(id: string, uid: Spender, rupees: number): number {
    if (!this.state.payments.some((payment) => payment.id === id)) {
      this.asksForProfile();
      this.state.payments.push({ id, uid, rupees, credited: false });
    }
    return Math.floor(rupees / 100);
  }

  /** Reports a status to the client, correct or not (B10, S4, S6; OP-21). */
  report(line: Line, status: Status): Answer {
    const { executed, readable } = this.#useFault('updateRedeemStatus');
    const answer = executed ? this.applyStatus(line, status) : 'no_answer';
    return canRead(readable, answer) ? answer : 'no_answer';
  }

  /** Applies a status at the client. A final status never changes, and a rejection refunds the points once (OP-21). */
  applyStatus(line: Line, status: Status): 'accepted' | 'refused' {
    if (line.client === undefined) return 'refused';
    if (line.client !== 'Pending') return line.client === status ? 'accepted' : 'refused';
    line.client = status;
    if (status === 'Rejected') this.reverse(line);
    return 'accepted';
  }

  reverse(line: Line): void {
    this.#add(line.uid, line.points);
  }

  /** Runs all due jobs with their retries (OP-24), then removes the faults. */
  pass(): void {
    const { payments, lines } = this.state;
    for (const payment of payments) {
      if (!payment.credited) this.#add(payment.uid, Math.floor(payment.rupees / 100));
      payment.credited = true;
    }
    this.#runDue();
    for (const line of lines) this.#checkThreshold(line);
    this.state.faults = [];
  }

  /** Runs all due jobs. All orders are placed at one instant, because only `pass` advances the clock. */
  #runDue(): void {
    const due: Job[] = [];
    const add = (job: Omit<Job, 'number'>, number = due.length): void => void due.push({ ...job, number });
    for (const line of this.state.lines) {
      if (line.platform === 'failed' && line.toReport) add({ what: 'report', line, at: 0, tries: 0 });
      if (line.platform === 'Pending' && !line.silent) add({ what: 'fulfil', line, at: vendorDelay, tries: 0 });
      line.toReport = false;
    }
    let causes = due.length;
    for (let job = takeFirst(due); job !== undefined; job = takeFirst(due)) {
      const { what, line, at, number, tries } = job;
      if (what === 'report') {
        const wait = this.#sendReport(line) ? undefined : retries[tries];
        if (wait !== undefined) add({ ...job, at: at + wait, tries: tries + 1 }, number);
      } else if (this.#fulfil(line, tries)) {
        add({ what: 'report', line, at, tries: 0 }, causes);
        causes += 1;
      } else if (!line.silent) {
        add({ ...job, at: at + vendorWait, tries: tries + 1 }, number);
      }
    }
  }

  /** Sends a line to its vendor (OP-35, OP-49, OP-51). Returns whether the line is final afterwards. */
  #fulfil(line: Line, before: number): boolean {
    const { stock, rules } = this.state;
    const { outcome, times } = rules.get(line.sku) ?? { outcome: 'deliver', times: 1 };
    const effect = vendorEffects[outcome];
    const tries = effect.tries(times);
    if (tries === never) line.silent = true;
    if (line.silent || before + 1 < tries) return false;
    const left = (stock.get(line.sku) ?? 0) - line.quantity;
    const delivers = effect.delivers && left >= 0;
    line.platform = delivers ? 'Delivered' : 'Rejected';
    if (delivers) stock.set(line.sku, left);
    return true;
  }

  /** Reports a line's final status to the client (G15, G16; OP-21, OP-22, OP-52). Returns whether the report is complete. */
  #sendReport(line: Line): boolean {
    const delivered = line.platform === 'Delivered';
    // Version 2.0 has no call that reports a delivery, so the client reads the status.
    if (line.version === 'v2' && delivered) {
      this.applyStatus(line, 'Delivered');
      return true;
    }
    const { executed, readable } = this.#useFault(line.version === 'v1' ? 'updateRedeemStatus' : 'reversePoints');
    const answer = executed ? this.applyStatus(line, delivered ? 'Delivered' : 'Rejected') : 'no_answer';
    if (!canRead(readable, answer)) return false;
    // The client has already refunded the points, so the platform voids the delivery and restores its stock (OP-121).
    if (delivered && line.client === 'Rejected') {
      line.platform = 'Rejected';
      this.putBack(line);
    }
    return answer === 'accepted' || line.client === undefined || line.client === 'Rejected';
  }

  putBack(line: Line): void {
    this.state.stock.set(line.sku, (this.state.stock.get(line.sku) ?? 0) + line.quantity);
  }

  /** Checks a line at the client if it has been pending for too long (OP-22). Version 2.0 has no threshold (OP-52). */
  #checkThreshold(line: Line): void {
    if (line.client !== 'Pending' || line.version !== 'v1' || line.thresholdChecked) return;
    line.thresholdChecked = true;
    if (this.state.onTimeout === 'reverse') this.applyStatus(line, 'Rejected');
  }

  /** Returns an order's status: Pending while any line is pending, and Rejected if all lines are rejected (OP-06). */
  statusOf(lines: readonly Line[]): Status {
    if (lines.some(({ platform }) => platform === 'Pending')) return 'Pending';
    return lines.every(({ platform }) => platform === 'Rejected') ? 'Rejected' : 'Delivered';
  }

  /** Returns the redeem codes of a customer's vouchers, one per delivered e-gift unit (OP-27). */
  walletOf(uid: Spender): string[] {
    const mine = this.state.lines.filter((line) => line.uid === uid && line.sku.startsWith('EGV'));
    const delivered = mine.filter(({ platform }) => platform === 'Delivered');
    return delivered.flatMap(({ code, quantity }) => Array.from({ length: quantity }, () => code)).sort();
  }

  /** Returns the redeem codes whose points differ permanently between both sides, after a false report or a timeout. */
  differingCodes(): string[] {
    const counts = (state: Line['platform'] | Line['client']) => state === 'Pending' || state === 'Delivered';
    return this.state.lines.filter((line) => counts(line.platform) !== counts(line.client)).map(({ code }) => code);
  }

  snapshot(id: string): void {
    this.snapshots.push({ id, state: structuredClone(this.state) });
  }

  restore(id: string): void {
    const snapshot = this.snapshots.find((one) => one.id === id);
    if (snapshot === undefined) throw new Error(`there is no snapshot ${id}`);
    this.state = structuredClone(snapshot.state);
  }

  reset(): void {
    this.state = structuredClone(this.#seeded);
  }
}

/** Returns whether the caller can read this reply. */
function canRead(readable: Effect['readable'], answer: Answer): boolean {
  return readable === 'all' || (readable === 'refusals' && answer === 'refused');
}

/** Removes and returns the next job: the earliest one due or, among equals, the one with the earliest cause. */
function takeFirst(due: Job[]): Job | undefined {
  const first = due.toSorted((one, other) => one.at - other.at || one.number - other.number)[0];
  if (first !== undefined) due.splice(due.indexOf(first), 1);
  return first;
}
