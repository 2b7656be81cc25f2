/** The tools of a probe: server operations, customers, unique values and balances. */

import { type Answer, type Fields, objectIn, pointsIn } from './answer.ts';
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
import type { Sessions } from './sessions.ts';
import { Blocked, type Input, MissingInput } from './verdict.ts';

/** A test of one requirement. It resolves if the requirement is met, and otherwise rejects with an error from `verdict.ts`. */
export type Probe = (probing: ProbeContext) => Promise<unknown>;

/** The context of one probe. */
export class ProbeContext {
  readonly input: Input;
  readonly operations: Operations;
  /** The customers' sessions, and other results shared by several requirements. */
  readonly sessions: Sessions;
  readonly run: RunConnections;
  /** The prefix of this probe's generated strings, which is unique to this probe. */
  readonly unique: string;
  #made = 0;

  /** Creates the context of a probe. Its name must be unique within the run. */
  constructor(run: RunConnections, name: string, operations: Operations = run.operations) {
    this.run = run;
    this.input = run.input;
    this.operations = operations;
    this.sessions = run.sessions;
    this.unique = `${run.parts.unique}-${name}`;
  }

  /** The primary customer. */
  get customer(): string {
    return this.input.customers[0] ?? '';
  }

  /** A second customer. Requirements that use it declare the need `two_customers`. */
  get other(): string {
    const [, other] = this.input.customers;
    if (other === undefined) throw new MissingInput('It requires a second customer.', '--customer UID');
    return other;
  }

  /** Returns a string that is unique across all runs. */
  fresh(): string {
    this.#made += 1;
    return `${this.unique}-${this.#made}`;
  }

  /** Waits for a number of real milliseconds, or until the run ends. Yields the processor to other runs. */
  async wait(milliseconds: number): Promise<void> {
    const { delay, signal, turns } = this.run.parts;
    turns?.end();
    await delay(milliseconds, signal);
    await turns?.begin();
  }

  /** Returns a customer's session. Rejects with `Blocked` if the sign-in fails. */
  session(uid: string = this.customer) {
    return this.sessions.of(uid);
  }

  /** Returns the result of the sign-in for a customer's current session, even if the server refused it. */
  signIn(uid: string = this.customer) {
    return this.sessions.first(uid);
  }

  /** Returns a customer's profile from the server. Rejects with `Blocked` if there is no usable profile. */
  async profile(uid: string = this.customer): Promise<{ readonly profile: Fields; readonly answer: Answer }> {
    const answer = await this.operations.profile(uid);
    const profile = objectIn(answer, 'profile');
    if (!isSuccess(answer) || profile === undefined)
      throw new Blocked(prerequisites.profile, `Cannot read the profile of ${uid}: ${describeAnswer(answer)}.`);
    return { profile, answer };
  }

  /** The API version for reading balances. */
  get #version(): 'v1' | 'v2' {
    return this.input.api === 'v2' ? 'v2' : 'v1';
  }

  /** Requests a customer's points, which is the platform's most frequent call. */
  readAccount(sending?: Sending, uid: string = this.customer, version = this.#version): Promise<Answer> {
    return version === 'v2' ? this.operations.points(uid, sending) : this.operations.profile(uid, sending);
  }

  /** Returns a customer's balance from the server, parsed leniently. Rejects with `Blocked` if it cannot be read. */
  async balance(uid: string = this.customer, version = this.#version): Promise<number> {
    const answer = await this.readAccount(undefined, uid, version);
    const balance = pointsIn(answer);
    if (isSuccess(answer) && Number.isFinite(balance)) return balance;
    throw new Blocked(
      version === 'v2' ? prerequisites.v2Points : prerequisites.profile,
      `Cannot read the balance of ${uid}: ${describeAnswer(answer)}.`,
    );
  }

  /** Builds a valid redemption record for an e-gift voucher, or for a physical product if `fee` is positive. */
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

  /** Builds a valid version 2.0 deduction. */
  deduction(points: number, changes: Partial<Deduction> = {}): Deduction {
    const [order_id, redeem_code] = [this.fresh(), this.fresh()];
    const deduction = { customer_id: this.customer, order_id, redeem_code, points, ...changes };
    this.run.lines.set(deduction.redeem_code, points);
    return deduction;
  }

  /** Builds a valid status update. */
  status(redeemCode: string, status: StatusUpdate['status'], changes: Partial<StatusUpdate> = {}): StatusUpdate {
    const remark = status === 'Rejected' ? 'Product out of stock' : 'As expected';
    return { redeemCode, status, orderStatus: status, remark, projectCode: this.run.projectCode, ...changes };
  }

  /** Builds a valid credit event. */
  event(points: number, changes: Partial<CreditPointsEvent> = {}): CreditPointsEvent {
    const payment = { transactionId: this.fresh(), paymentAmount: `${points * 100}.00`, points: String(points) };
    return { uid: this.customer, eventType: 'DIGITAL_PAYMENT', ...payment, ...changes };
  }

  /** Deducts points as a preparatory step. Rejects with `Blocked` if the deduction fails. */
  async deduct(points: number, changes: Partial<RedemptionRecord> = {}, fee = 0) {
    const record = this.record(points, changes, fee);
    const answer = await this.operations.save(record);
    return { record, answer: requireSuccess(answer, prerequisites.deduction, 'A deduction') };
  }

  /** Reports a status as a preparatory step. Rejects with `Blocked` if the update fails. */
  async report(redeemCode: string, status: StatusUpdate['status']): Promise<Answer> {
    const answer = await this.operations.update(this.status(redeemCode, status));
    return requireSuccess(answer, prerequisites.rejection, `A status update to ${status}`);
  }
}
