/**
 * The whole interface in memory, written from what it says and from the register, not from the code: what each customer
 * holds, how each redemption stands on either side, which vouchers there are, and what happens once time passes.
 */
import type { FaultKind, OrderLine, Outcome, Sku, Spender, Status, Target, Version } from './steps.ts';

export interface Line {
  /** Empty where the order was not placed, so that nobody was told. */
  readonly code: string;
  readonly uid: Spender;
  readonly sku: Sku;
  readonly quantity: number;
  readonly points: number;
  readonly version: Version;
  /** As the platform has it; `failed` where the order did not come to stand. */
  platform: Status | 'failed';
  /** As the client has it; undefined where nothing was deducted. */
  client: Status | undefined;
  /** The vendor was asked and will never answer. */
  silent: boolean;
  /** The client looked once at the threshold; it looks no second time. */
  looked: boolean;
  /** Where the order did not come to stand: whether the client may have deducted, and was not yet told otherwise. */
  toReport: boolean;
}

/** Something that is due so many seconds after the orders; what was caused first runs first (OP-24, OP-51). */
interface Piece {
  readonly what: 'fulfil' | 'report';
  readonly line: Line;
  readonly at: number;
  readonly number: number;
  readonly tries: number;
}

export type Answer = 'accepted' | 'refused' | 'no_answer';
/** What the caller of an order hears: placed, or the code of the refusal (OP-13). */
export type Placed = 'placed' | 54 | 55 | 57;

/** INR of an item, which are its points at the default value of a point. */
const prices: Record<Sku, number> = { 'EGV-CHAI-100': 100, 'EGV-SPICE-500': 500, 'PHY-TAWA-01': 899 };
/** A deduction is tried so often within an order call (OP-24), a vendor so often (OP-51). */
const deductionTries = 3;
const vendorTries = 5;
/** Seconds until a vendor answers for an item, and between two tries. */
const vendorDelay = 2;
const vendorWait = 5;
/** Seconds between the tries of a report. */
const retries = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];

/**
 * What becomes of a call that meets this fault: whether it is carried out, and whether its caller can read the reply
 * (OP-70). A refusal is read from its status, whatever its body is (OP-101).
 */
interface Effect {
  readonly carriedOut: boolean;
  readonly readable: 'all' | 'refusals' | 'none';
}

const effects: Record<FaultKind, Effect> = {
  status: { carriedOut: false, readable: 'none' },
  reset: { carriedOut: false, readable: 'none' },
  lost_reply: { carriedOut: true, readable: 'none' },
  malformed: { carriedOut: true, readable: 'refusals' },
  duplicate: { carriedOut: true, readable: 'all' },
};

/** Calls of which the interface shows no reply: any success is one, whatever its body is (OP-102). */
const anyReply: ReadonlySet<Target> = new Set(['creditPoints', 'redeemPoints', 'reversePoints']);

export interface Books {
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
  books: Books;
  readonly #seeded: Books;
  readonly snapshots: { id: string; books: Books }[] = [];

  /** @param seeded as the sandbox begins, and as a reset leaves it */
  constructor(seeded: Pick<Books, 'balances' | 'stock'>) {
    this.#seeded = {
      ...seeded,
      ...{ rules: new Map(), faults: [], lines: [], orders: [], payments: [], onTimeout: 'wait' as const },
    };
    this.books = structuredClone(this.#seeded);
  }

  /** Points of a line: units times quantity, and the fee of 49 once for what is shipped (OP-08, OP-09, OP-46). */
  pointsOf({ sku, quantity }: OrderLine): number {
    return prices[sku] * quantity + (sku.startsWith('PHY') ? 49 : 0);
  }

  /** The fault that a call meets, which is used up by so much. */
  #met(target: Target): Effect {
    const fault = this.books.faults.find((set) => set.target === target && set.left > 0);
    if (fault === undefined) return { carriedOut: true, readable: 'all' };
    fault.left -= 1;
    if (fault.kind === 'malformed' && anyReply.has(target)) return { carriedOut: true, readable: 'all' };
    return effects[fault.kind];
  }

  /** The platform asks for a customer's profile, once. Returns whether it gets it. */
  asksForProfile(): boolean {
    return this.#met('getProfileAndPoints').readable === 'all';
  }

  /** How many calls into an operation are still going to fail. */
  faultsLeft(target: Target): number {
    return this.books.faults.filter((set) => set.target === target).reduce((sum, { left }) => sum + left, 0);
  }

  #add(uid: Spender, points: number): void {
    this.books.balances.set(uid, (this.books.balances.get(uid) ?? 0) + points);
  }

  /** An order, as its caller sees it and as it is booked (G12, G13; OP-07, OP-23, OP-49). */
  order(uid: Spender, version: Version, asked: readonly OrderLine[], codes: readonly string[], id: string): Placed {
    const { stock, balances } = this.books;
    const wanted = (sku: Sku) =>
      asked.filter((line) => line.sku === sku).reduce((sum, { quantity }) => sum + quantity, 0);
    if (asked.some(({ sku }) => wanted(sku) > (stock.get(sku) ?? 0))) return 55;
    if (this.#met(version === 'v1' ? 'getProfileAndPoints' : 'getCustomerPoints').readable !== 'all') return 57;
    const lines = asked.map((line, at): Line => {
      const drawn = { code: codes[at] ?? '', uid, version, points: this.pointsOf(line) };
      return {
        ...line,
        ...drawn,
        platform: 'failed',
        client: undefined,
        silent: false,
        looked: false,
        toReport: false,
      };
    });
    if (lines.reduce((sum, { points }) => sum + points, 0) > (balances.get(uid) ?? 0)) return 54;
    this.books.lines.push(...lines);
    for (const line of lines) if (!this.#deduct(line)) return 57;
    for (const line of lines) Object.assign(line, { platform: 'Pending', toReport: false });
    this.books.orders.push({ id, lines });
    return 'placed';
  }

  #deduct(line: Line): boolean {
    line.toReport = true;
    for (let tries = 0; tries < deductionTries; tries += 1) {
      const { carriedOut, readable } = this.#met(line.version === 'v1' ? 'saveRedeemDetails' : 'redeemPoints');
      if (carriedOut && line.client === undefined) {
        line.client = 'Pending';
        this.#add(line.uid, -line.points);
      }
      if (readable === 'all') return true;
    }
    return false;
  }

  /** What a payment will earn: a point for each whole 100 INR (OP-09, OP-46). A new one has its customer asked for (OP-130). */
  pay(id: string, uid: Spender, rupees: number): number {
    if (!this.books.payments.some((payment) => payment.id === id)) {
      this.asksForProfile();
      this.books.payments.push({ id, uid, rupees, credited: false });
    }
    return Math.floor(rupees / 100);
  }

  /** A status that the client is told, true or not (B10, S4, S6; OP-21). */
  report(line: Line, status: Status): Answer {
    const { carriedOut, readable } = this.#met('updateRedeemStatus');
    const answer = carriedOut ? this.tell(line, status) : 'no_answer';
    return reads(readable, answer) ? answer : 'no_answer';
  }

  /** The client hears of a status: a final one stays, and a rejection gives the points back, once (OP-21). */
  tell(line: Line, status: Status): 'accepted' | 'refused' {
    if (line.client === undefined) return 'refused';
    if (line.client !== 'Pending') return line.client === status ? 'accepted' : 'refused';
    line.client = status;
    if (status === 'Rejected') this.reverse(line);
    return 'accepted';
  }

  reverse(line: Line): void {
    this.#add(line.uid, line.points);
  }

  /** Everything that is due runs, however often it has to be tried (OP-24). Then the faults are taken away. */
  pass(): void {
    const { payments, lines } = this.books;
    for (const payment of payments) {
      if (!payment.credited) this.#add(payment.uid, Math.floor(payment.rupees / 100));
      payment.credited = true;
    }
    this.#runDue();
    for (const line of lines) this.#look(line);
    this.books.faults = [];
  }

  /** Orders are all placed at one instant: between two of them nothing but `pass` moves the clock. */
  #runDue(): void {
    const due: Piece[] = [];
    const add = (piece: Omit<Piece, 'number'>, number = due.length): void => void due.push({ ...piece, number });
    for (const line of this.books.lines) {
      if (line.platform === 'failed' && line.toReport) add({ what: 'report', line, at: 0, tries: 0 });
      if (line.platform === 'Pending' && !line.silent) add({ what: 'fulfil', line, at: vendorDelay, tries: 0 });
      line.toReport = false;
    }
    let causes = due.length;
    for (let piece = takeFirst(due); piece !== undefined; piece = takeFirst(due)) {
      const { what, line, at, number, tries } = piece;
      if (what === 'report') {
        const wait = this.#reported(line) ? undefined : retries[tries];
        if (wait !== undefined) add({ ...piece, at: at + wait, tries: tries + 1 }, number);
      } else if (this.#fulfilled(line, tries)) {
        add({ what: 'report', line, at, tries: 0 }, causes);
        causes += 1;
      } else if (!line.silent) {
        add({ ...piece, at: at + vendorWait, tries: tries + 1 }, number);
      }
    }
  }

  /** The vendor is asked about a line (OP-35, OP-49, OP-51). Returns whether the line ends by that. */
  #fulfilled(line: Line, before: number): boolean {
    const { stock, rules } = this.books;
    const { outcome, times } = rules.get(line.sku) ?? { outcome: 'deliver', times: 1 };
    if (outcome === 'never') line.silent = true;
    const tries = outcome === 'timeout' ? vendorTries : outcome === 'fail_then_deliver' ? times + 1 : 1;
    if (line.silent || before + 1 < tries) return false;
    const left = (stock.get(line.sku) ?? 0) - line.quantity;
    const delivers = (outcome === 'deliver' || outcome === 'fail_then_deliver') && left >= 0;
    line.platform = delivers ? 'Delivered' : 'Rejected';
    if (delivers) stock.set(line.sku, left);
    return true;
  }

  /** The client hears how a line ended (G15, G16; OP-21, OP-22, OP-52). Returns whether nothing is left to be told. */
  #reported(line: Line): boolean {
    const delivered = line.platform === 'Delivered';
    // Version 2.0 has no call that could tell of a delivery: the client reads it.
    if (line.version === 'v2' && delivered) {
      this.tell(line, 'Delivered');
      return true;
    }
    const { carriedOut, readable } = this.#met(line.version === 'v1' ? 'updateRedeemStatus' : 'reversePoints');
    const answer = carriedOut ? this.tell(line, delivered ? 'Delivered' : 'Rejected') : 'no_answer';
    if (!reads(readable, answer)) return false;
    // The client gave the points back before: the delivery is called off, its stock comes back (OP-121).
    if (delivered && line.client === 'Rejected') {
      line.platform = 'Rejected';
      this.putBack(line);
    }
    return answer === 'accepted' || line.client === undefined || line.client === 'Rejected';
  }

  putBack(line: Line): void {
    this.books.stock.set(line.sku, (this.books.stock.get(line.sku) ?? 0) + line.quantity);
  }

  /** The client looks at what has been pending for too long (OP-22); version 2.0 has no threshold (OP-52). */
  #look(line: Line): void {
    if (line.client !== 'Pending' || line.version !== 'v1' || line.looked) return;
    line.looked = true;
    if (this.books.onTimeout === 'reverse') this.tell(line, 'Rejected');
  }

  /** The status of an order: Pending while any line is, Rejected when each is (OP-06). */
  statusOf(lines: readonly Line[]): Status {
    if (lines.some(({ platform }) => platform === 'Pending')) return 'Pending';
    return lines.every(({ platform }) => platform === 'Rejected') ? 'Rejected' : 'Delivered';
  }

  /** The redeem codes of a customer's vouchers, one for each unit of an e-gift that was delivered (OP-27). */
  walletOf(uid: Spender): string[] {
    const mine = this.books.lines.filter((line) => line.uid === uid && line.sku.startsWith('EGV'));
    const delivered = mine.filter(({ platform }) => platform === 'Delivered');
    return delivered.flatMap(({ code, quantity }) => Array.from({ length: quantity }, () => code)).sort();
  }

  /** The redeem codes on which the two sides differ in points for good: what a false report or a threshold leads to. */
  differing(): string[] {
    const counts = (state: Line['platform'] | Line['client']) => state === 'Pending' || state === 'Delivered';
    return this.books.lines.filter((line) => counts(line.platform) !== counts(line.client)).map(({ code }) => code);
  }

  snapshot(id: string): void {
    this.snapshots.push({ id, books: structuredClone(this.books) });
  }

  restore(id: string): void {
    const found = this.snapshots.find((snapshot) => snapshot.id === id);
    if (found === undefined) throw new Error(`there is no snapshot ${id}`);
    this.books = structuredClone(found.books);
  }

  reset(): void {
    this.books = structuredClone(this.#seeded);
  }
}

/** Whether a caller can read this answer. */
function reads(readable: Effect['readable'], answer: Answer): boolean {
  return readable === 'all' || (readable === 'refusals' && answer === 'refused');
}

/** Takes out what runs next: what is due first, and of that what was caused first. */
function takeFirst(due: Piece[]): Piece | undefined {
  const first = due.toSorted((one, other) => one.at - other.at || one.number - other.number)[0];
  if (first !== undefined) due.splice(due.indexOf(first), 1);
  return first;
}
