/** The tools of a probe: the server's operations, customers, unused values, and the balances. */

import type { HeaderList } from '../conformance/exchange.ts';
import type { SeededRandom } from '../runtime/ids.ts';
import type { Delay } from '../runtime/timer.ts';
import { type Answer, jsonOf, pointsIn } from './answer.ts';
import { describeAnswer, isSuccess, requireSuccess } from './assertions.ts';
import type {
  CreditPointsEvent,
  Deduction,
  Operations,
  RedemptionRecord,
  Sending,
  StatusUpdate,
} from './operations.ts';
import { prerequisites } from './requirement.ts';
import type { SentCode, Session, Sessions, SignIn } from './sessions.ts';
import { Blocked, type Input, MissingInput, type Silent } from './verdict.ts';

/**
 * A sandbox of this project that has the partner's server as its client, as journeys drive it: its address, and what opens
 * it. Everything else is HTTP.
 */
export interface Platform {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly adminToken: string;
  close(): Promise<void>;
}

/** Starts one: in memory, on a frozen clock, allowed to call this server. */
export type StartPlatform = (settings: {
  readonly clientUrl: string;
  readonly projectCode: string;
  /** How long it waits for an answer of the server, in milliseconds. */
  readonly timeoutMs: number;
}) => Promise<Platform>;

/** What a run gives to each of its probes. */
interface ProbeParts {
  readonly input: Input;
  readonly operations: Operations;
  readonly sessions: Sessions;
  readonly random: SeededRandom;
  /** What no other probe's fresh texts begin with. */
  readonly unique: string;
  readonly projectCode: string;
  /** Codes of redemptions that may be pending, to refund afterwards. */
  readonly open: Set<string>;
  /** Points of order lines of version 2.0 that may be deducted, by their codes, likewise. */
  readonly lines: Map<string, number>;
  /** Counts calls that the platform sent to the server. Throws an Error beyond the number of the requirement. */
  readonly counted: (calls: number) => void;
  /** Sends to the webhook address of the server. */
  readonly deliver: (headers: HeaderList, body: string) => Promise<Answer>;
  /** Calls of the run that were not answered in time. */
  readonly silent: () => readonly Silent[];
  /** The platform of this project with the server as its client, for whole journeys. */
  readonly platform: () => Promise<Platform>;
  /** Real time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Has reports show a variable in place of a text: one that was made from a secret. */
  readonly hide: (text: string, variable: string) => void;
  readonly delay: Delay;
  /** Ends whatever a probe waits for. */
  readonly signal: AbortSignal;
}

/** A profile as the server returned it, unchecked. */
export type Profile = Readonly<Record<string, unknown>>;

/** A probe: returns where its requirement holds; throws as `verdict.ts` says where it does not. */
export type Probe = (probing: ProbeContext) => Promise<void>;

/** What one probe works with. */
export class ProbeContext {
  readonly input: Input;
  readonly operations: Operations;
  /** Draws that follow from the seed and the requirement. */
  readonly random: SeededRandom;
  readonly run: ProbeParts;
  #made = 0;

  constructor(run: ProbeParts) {
    this.run = run;
    this.input = run.input;
    this.operations = run.operations;
    this.random = run.random;
  }

  /** The customer that is used most. */
  get customer(): string {
    return this.input.customers[0] ?? '';
  }

  /** Another one; requirements that need it say `two_customers`. */
  get other(): string {
    const [, other] = this.input.customers;
    if (other === undefined) throw new MissingInput('It requires a second customer.', '--customer UID');
    return other;
  }

  /** A text that was never used: not in this run, and not in another. */
  fresh(): string {
    this.#made += 1;
    return `${this.run.unique}-${this.#made}`;
  }

  /** A customer's token, from one sign-in per run. Rejects with Blocked if the sign-in does not work. */
  session(uid: string = this.customer): Promise<Session> {
    return this.run.sessions.of(uid);
  }

  /** The first customer's session that ends first. */
  oldestSession(): Promise<Session> {
    return this.run.sessions.oldest(this.customer);
  }

  /** Drops all sessions of the run, which have expired. The next probe that needs one opens it. */
  forgetSessions(): void {
    this.run.sessions.forget();
  }

  /** Asks for a one-time password. Rejects with Blocked where none is sent or none can be read. */
  code(uid: string = this.customer): Promise<SentCode> {
    return this.run.sessions.code(uid);
  }

  /** The code of a reply that said that one was sent. Rejects with Blocked where it cannot be read. */
  readCode(uid: string, sent: Answer): Promise<SentCode> {
    return this.run.sessions.read(uid, sent);
  }

  /** The result of the sign-in that the customer's session is from. */
  signIn(uid: string = this.customer): Promise<SignIn> {
    return this.run.sessions.first(uid);
  }

  /** Signs in once more, whatever the result, so that earlier failures do not count against the customer. */
  async signInAfterFailures(uid: string): Promise<void> {
    await this.run.sessions.attempt(uid);
  }

  /** What several requirements look at: made by the first of them in a run, and again where that rejected. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    return this.run.sessions.once(name, make);
  }

  /** Real milliseconds, the end of the run at the longest. */
  wait(milliseconds: number): Promise<void> {
    return this.run.delay(milliseconds, this.run.signal);
  }

  /** What the server says of a customer. Rejects with Blocked where it says nothing of use. */
  async profile(uid: string = this.customer): Promise<{ readonly profile: Profile; readonly answer: Answer }> {
    const answer = await this.operations.profile(uid);
    const profile = (jsonOf(answer) as { profile?: unknown } | null | undefined)?.profile;
    if (!isSuccess(answer) || typeof profile !== 'object' || profile === null)
      throw new Blocked(prerequisites.profile, `Cannot read the profile of ${uid}: ${describeAnswer(answer)}.`);
    return { profile: profile as Profile, answer };
  }

  /** The version by which balances are read, and what the platform asks for most often. */
  get #version(): 'v1' | 'v2' {
    return this.input.api === 'v2' ? 'v2' : 'v1';
  }

  /** Asks for what the first customer has, as the platform does most often. */
  readAccount(sending?: Sending, uid: string = this.customer, version = this.#version): Promise<Answer> {
    return version === 'v2' ? this.operations.points(uid, sending) : this.operations.profile(uid, sending);
  }

  /** A customer's balance by the server's own word, read as leniently as can be. Rejects with Blocked. */
  async balance(uid: string = this.customer, version = this.#version): Promise<number> {
    const answer = await this.readAccount(undefined, uid, version);
    const balance = pointsIn(answer);
    if (isSuccess(answer) && Number.isFinite(balance)) return balance;
    throw new Blocked(
      version === 'v2' ? prerequisites.v2Points : prerequisites.profile,
      `Cannot read the balance of ${uid}: ${describeAnswer(answer)}.`,
    );
  }

  /** A redemption record that a right server takes, of an e-gift voucher; with a fee where one is given. */
  record(points: number, changes: Partial<RedemptionRecord> = {}, fee = 0): RedemptionRecord {
    const record: RedemptionRecord = {
      uid: this.customer,
      scheme: this.run.projectCode,
      redeemCode: this.fresh(),
      redeemPoints: String(points - fee),
      shippingAddress: fee > 0 ? '12 Lake View Road, Bengaluru 560038' : '',
      processingFee: String(fee),
      productCode: 'CERTIFY-ITEM-1',
      productName: 'An item of the certification',
      quantity: '1',
      redeemStatus: 'pending',
      email: 'certify@example.com',
      mobileNo: '5000000001',
      totalpoints: String(points - fee),
      totalPointWithProcessingFee: String(points),
      tdsSingleItem: '0',
      ...changes,
    };
    this.run.open.add(record.redeemCode);
    return record;
  }

  /** A deduction of version 2.0 that a right server takes. */
  deduction(points: number, changes: Partial<Deduction> = {}): Deduction {
    const [order_id, redeem_code] = [this.fresh(), this.fresh()];
    const deduction = { customer_id: this.customer, order_id, redeem_code, points, ...changes };
    this.run.lines.set(deduction.redeem_code, points);
    return deduction;
  }

  /** A status report that a right server takes. */
  status(redeemCode: string, status: StatusUpdate['status'], changes: Partial<StatusUpdate> = {}): StatusUpdate {
    const remark = status === 'Rejected' ? 'Product out of stock' : 'As expected';
    return { redeemCode, status, orderStatus: status, remark, projectCode: this.run.projectCode, ...changes };
  }

  /** A credit that a right server takes. */
  event(points: number, changes: Partial<CreditPointsEvent> = {}): CreditPointsEvent {
    const transactionId = this.fresh();
    const paymentAmount = `${points * 100}.00`;
    return {
      uid: this.customer,
      eventType: 'DIGITAL_PAYMENT',
      transactionId,
      paymentAmount,
      points: String(points),
      ...changes,
    };
  }

  /** Deducts points as a step of another requirement's probe. Rejects with Blocked where that fails. */
  async deduct(points: number, changes: Partial<RedemptionRecord> = {}, fee = 0) {
    const record = this.record(points, changes, fee);
    return {
      record,
      answer: requireSuccess(await this.operations.save(record), prerequisites.deduction, 'A deduction'),
    };
  }

  /** Reports a status as a step of another requirement's probe. Rejects with Blocked where that fails. */
  async report(redeemCode: string, status: StatusUpdate['status']): Promise<Answer> {
    const answer = await this.operations.update(this.status(redeemCode, status));
    return requireSuccess(answer, prerequisites.rejection, `A status update to ${status}`);
  }
}
