/** The tools of a probe: the server's operations, customers, unused values, and the balances. */

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
import type { RunConnections } from './run-connections.ts';
import type { SentCode, Session, Sessions, SignIn } from './sessions.ts';
import { Blocked, type Input, MissingInput } from './verdict.ts';

/** A profile as the server returned it, unchecked. */
export type Profile = Readonly<Record<string, unknown>>;

/** A probe: returns where its requirement holds; throws as `verdict.ts` says where it does not. */
export type Probe = (probing: ProbeContext) => Promise<void>;

/** What one probe works with. */
export class ProbeContext {
  readonly input: Input;
  readonly operations: Operations;
  /** The customers' sessions, and what else several requirements look at. */
  readonly sessions: Sessions;
  readonly run: RunConnections;
  /** What no other probe's fresh texts begin with. */
  readonly unique: string;
  #made = 0;

  /** Of the probe with this name, which no other of the run has. */
  constructor(run: RunConnections, name: string, operations: Operations = run.operations) {
    this.run = run;
    this.input = run.input;
    this.operations = operations;
    this.sessions = run.sessions;
    this.unique = `${run.parts.unique}-${name}`;
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
    return `${this.unique}-${this.#made}`;
  }

  /** A customer's token, from one sign-in per run. Rejects with Blocked if the sign-in does not work. */
  session(uid: string = this.customer): Promise<Session> {
    return this.sessions.of(uid);
  }

  /** Asks for a one-time password. Rejects with Blocked if none is sent or none can be read. */
  code(uid: string = this.customer): Promise<SentCode> {
    return this.sessions.code(uid);
  }

  /** The result of the sign-in that the customer's session is from. */
  signIn(uid: string = this.customer): Promise<SignIn> {
    return this.sessions.first(uid);
  }

  /** Waits real milliseconds, until the end of the run at the longest. Others have the processor meanwhile. */
  async wait(milliseconds: number): Promise<void> {
    const { delay, signal, turns } = this.run.parts;
    turns?.end();
    await delay(milliseconds, signal);
    await turns?.begin();
  }

  /** What the server says of a customer. Rejects with Blocked if it says nothing of use. */
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

  /** Deducts points as a step of another requirement's probe. Rejects with Blocked if that fails. */
  async deduct(points: number, changes: Partial<RedemptionRecord> = {}, fee = 0) {
    const record = this.record(points, changes, fee);
    return {
      record,
      answer: requireSuccess(await this.operations.save(record), prerequisites.deduction, 'A deduction'),
    };
  }

  /** Reports a status as a step of another requirement's probe. Rejects with Blocked if that fails. */
  async report(redeemCode: string, status: StatusUpdate['status']): Promise<Answer> {
    const answer = await this.operations.update(this.status(redeemCode, status));
    return requireSuccess(answer, prerequisites.rejection, `A status update to ${status}`);
  }
}
