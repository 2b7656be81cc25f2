/** The tools of a probe: the server's operations, customers, unused values, and the balances. */

import type { HeaderList } from '../conformance/exchange.ts';
import type { SeededRandom } from '../runtime/random.ts';
import { type Answer, jsonOf } from './answer.ts';
import { describeAnswer, isSuccess } from './assertions.ts';
import type { CreditPointsEvent, Deduction, Operations, RedemptionRecord, StatusUpdate } from './operations.ts';
import type { Platform, ProbeParts } from './probe-parts.ts';
import { prerequisites } from './requirement.ts';
import type { SentCode, Session, SignIn } from './sessions.ts';
import { Blocked, type Input, MissingInput, type Silent } from './verdict.ts';

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
  readonly #parts: ProbeParts;
  #made = 0;

  constructor(parts: ProbeParts) {
    this.#parts = parts;
    this.input = parts.input;
    this.operations = parts.operations;
    this.random = parts.random;
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
    return `${this.#parts.unique}-${this.#made}`;
  }

  /** The platform of this project with the server as its client, for whole journeys. */
  platform(): Promise<Platform> {
    return this.#parts.platform();
  }

  /** The code of the project that redemptions belong to. */
  get projectCode(): string {
    return this.#parts.projectCode;
  }

  /** What no other probe's texts begin with, in this run and in others. */
  get unique(): string {
    return this.#parts.unique;
  }

  /** Ends whatever this probe waits for. */
  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  /** Counts calls that the platform sent to the server. Throws an Error beyond the number of the requirement. */
  counted(calls: number): void {
    this.#parts.counted(calls);
  }

  /** Records a redemption that a journey began, to refund it afterwards. */
  opens(redeemCode: string): void {
    this.#parts.open.add(redeemCode);
  }

  /** The same of an order line of version 2.0. */
  opensLine(redeemCode: string, points: number): void {
    this.#parts.lines.set(redeemCode, points);
  }

  /** Real time, in milliseconds since 1970. */
  now(): number {
    return this.#parts.now();
  }

  /** Sends to the webhook address of the server. */
  deliver(headers: HeaderList, body: string): Promise<Answer> {
    return this.#parts.deliver(headers, body);
  }

  /** A customer's token, from one sign-in per run. Rejects with Blocked if the sign-in does not work. */
  session(uid: string = this.customer): Promise<Session> {
    return this.#parts.sessions.of(uid);
  }

  /** The first customer's session that ends first. */
  oldestSession(): Promise<Session> {
    return this.#parts.sessions.oldest(this.customer);
  }

  /** Drops all sessions of the run, which have expired. The next probe that needs one opens it. */
  forgetSessions(): void {
    this.#parts.sessions.forget();
  }

  /** Asks for a one-time password. Rejects with Blocked where none is sent or none can be read. */
  code(uid: string = this.customer): Promise<SentCode> {
    return this.#parts.sessions.code(uid);
  }

  /** The code of a reply that said that one was sent. Rejects with Blocked where it cannot be read. */
  readCode(uid: string, sent: Answer): Promise<SentCode> {
    return this.#parts.sessions.read(uid, sent);
  }

  /** The result of the sign-in that the customer's session is from. */
  signIn(uid: string = this.customer): Promise<SignIn> {
    return this.#parts.sessions.first(uid);
  }

  /** Signs in once more, whatever the result, so that earlier failures do not count against the customer. */
  async signInAfterFailures(uid: string): Promise<void> {
    await this.#parts.sessions.attempt(uid);
  }

  /** What several requirements look at: made by the first of them in a run, and again where that rejected. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    return this.#parts.sessions.once(name, make);
  }

  /** Calls of the run that were not answered in time. */
  get silent(): readonly Silent[] {
    return this.#parts.silent();
  }

  /** Has reports show a variable in place of a text: one that was made from a secret. */
  hide(text: string, variable: string): void {
    this.#parts.hide(text, variable);
  }

  /** Real milliseconds, the end of the run at the longest. */
  wait(milliseconds: number): Promise<void> {
    return this.#parts.delay(milliseconds, this.#parts.signal);
  }

  /** What the server says of a customer. Rejects with Blocked where it says nothing of use. */
  async profile(uid: string = this.customer): Promise<{ readonly profile: Profile; readonly answer: Answer }> {
    const answer = await this.operations.profile(uid);
    const profile = (jsonOf(answer) as { profile?: unknown } | null | undefined)?.profile;
    if (!isSuccess(answer) || typeof profile !== 'object' || profile === null)
      throw new Blocked(prerequisites.profile, `Cannot read the profile of ${uid}: ${describeAnswer(answer)}.`);
    return { profile: profile as Profile, answer };
  }

  /** A customer's balance by the server's own word, read as leniently as can be. Rejects with Blocked. */
  async balance(uid: string = this.customer): Promise<number> {
    const v2 = this.input.api === 'v2';
    const answer = v2 ? await this.operations.points(uid) : await this.operations.profile(uid);
    const points = (jsonOf(answer) as { points?: { balance?: unknown } } | null | undefined)?.points;
    const balance = Number(points?.balance ?? Number.NaN);
    if (isSuccess(answer) && Number.isFinite(balance)) return balance;
    throw new Blocked(
      v2 ? prerequisites.v2Points : prerequisites.profile,
      `Cannot read the balance of ${uid}: ${describeAnswer(answer)}.`,
    );
  }

  /** A redemption record that a right server takes, of an e-gift voucher; with a fee where one is given. */
  record(points: number, changes: Partial<RedemptionRecord> = {}, fee = 0): RedemptionRecord {
    const record: RedemptionRecord = {
      uid: this.customer,
      scheme: this.#parts.projectCode,
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
    this.#parts.open.add(record.redeemCode);
    return record;
  }

  /** A deduction of version 2.0 that a right server takes. */
  deduction(points: number, changes: Partial<Deduction> = {}): Deduction {
    const [order_id, redeem_code] = [this.fresh(), this.fresh()];
    const deduction = { customer_id: this.customer, order_id, redeem_code, points, ...changes };
    this.#parts.lines.set(deduction.redeem_code, points);
    return deduction;
  }

  /** A status report that a right server takes. */
  status(redeemCode: string, status: StatusUpdate['status'], changes: Partial<StatusUpdate> = {}): StatusUpdate {
    const remark = status === 'Rejected' ? 'Product out of stock' : 'As expected';
    return { redeemCode, status, orderStatus: status, remark, projectCode: this.#parts.projectCode, ...changes };
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
    const answer = await this.operations.save(record);
    if (!isSuccess(answer))
      throw new Blocked(prerequisites.deduction, `A deduction was refused: ${describeAnswer(answer)}.`);
    return { record, answer };
  }

  /** Reports a status as a step of another requirement's probe. Rejects with Blocked where that fails. */
  async report(redeemCode: string, status: StatusUpdate['status']): Promise<Answer> {
    const answer = await this.operations.update(this.status(redeemCode, status));
    if (!isSuccess(answer))
      throw new Blocked(
        prerequisites.rejection,
        `A status update to ${status} was refused: ${describeAnswer(answer)}.`,
      );
    return answer;
  }
}
