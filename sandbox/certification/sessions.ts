/** Signs customers in with one-time passwords, and caches their sessions. */

import { type Answer, fieldsIn } from './answer.ts';
import { describeAnswer, isRefusal, isSuccess } from './assertions.ts';
import { readJwt } from './forging.ts';
import type { Operations, OtpVerification } from './operations.ts';
import { prerequisites } from './requirement.ts';
import { Blocked, MissingInput, type ReadCode } from './verdict.ts';

/** The session of a signed-in customer. */
export interface Session {
  readonly uid: string;
  readonly token: string;
  /** The time of the sign-in, in milliseconds since 1970. */
  readonly at: number;
}

/** Minimum remaining lifetime for a session to be reused, in seconds. */
const margin = 10;

/** A code sent to a customer. */
export interface SentCode {
  readonly uid: string;
  readonly reference_id: string;
  readonly otp: string;
  /** The reply to the request for the code. */
  readonly sent: Answer;
}

/** Returns the request body that verifies a code. */
export function verificationOf({ uid, otp, reference_id }: SentCode): OtpVerification {
  return { customer_id: uid, otp, reference_id };
}

/** Returns the `reference_id` in a reply to a code request, or an empty string if there is none. */
export function referenceIn(sent: Answer): string {
  const { reference_id } = fieldsIn(sent);
  return typeof reference_id === 'string' ? reference_id : '';
}

/** The prefix of cache names for sessions. */
const sessionOf = 'session of ';

/** Returns the lifetime of a token according to its claims, in seconds, or `undefined` if the claims are missing. */
export function lifetimeOf(token: string): number | undefined {
  const { iat, exp } = readJwt(token)?.claims ?? {};
  const seconds = Number(exp) - Number(iat);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The sessions of one run, and a cache for other results that requirements share. */
export class Sessions {
  readonly #operations: Operations;
  readonly #readCode: ReadCode;
  readonly #now: () => number;
  readonly #customer: string;
  readonly #made = new Map<string, Promise<unknown>>();
  /** The first session of each customer. */
  readonly #first = new Map<string, Session>();
  /** Customers who have received a code. */
  readonly #sent = new Set<string>();

  /** @param customer the primary customer, whose sessions and codes are the default */
  constructor(operations: Operations, read: ReadCode, now: () => number, customer = '') {
    this.#now = now;
    this.#customer = customer;
    this.#operations = operations;
    this.#readCode = read;
  }

  /**
   * Returns a customer's session, which requirements share, and renews it before it expires. Rejects with `Blocked` if the
   * sign-in fails.
   */
  async of(uid: string = this.#customer): Promise<Session> {
    const { sent, unread, signedIn, token, at } = await this.first(uid);
    if (token !== undefined) {
      const session = { uid, token, at };
      if (!this.#first.has(uid)) this.#first.set(uid, session);
      const left = (lifetimeOf(token) ?? Number.POSITIVE_INFINITY) - (this.#now() - at) / 1000;
      if (left > margin || at === this.#now()) return session;
      this.#made.delete(`${sessionOf}${uid}`);
      return this.of(uid);
    }
    if (unread instanceof MissingInput) throw unread;
    const why = unread?.message ?? `${describeAnswer(signedIn ?? sent)}.`;
    throw new Blocked(prerequisites.signIn, `${uid} could not sign in: ${why}`);
  }

  /** Returns the primary customer's first session of this run, which expires first. */
  async oldest(): Promise<Session> {
    const session = await this.of();
    return this.#first.get(session.uid) ?? session;
  }

  /** Returns the result of the sign-in for the customer's current session. */
  first(uid: string = this.#customer) {
    return this.once(`${sessionOf}${uid}`, async () => ({ ...(await this.attempt(uid)), at: this.#now() }));
  }

  /** Runs `make` once per name and caches its promise. If it rejects, the next call runs it again. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const cached = this.#made.get(name);
    if (cached !== undefined) return cached as Promise<T>;
    const made = make();
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    return made;
  }

  /** Discards all sessions, as if they had expired. */
  forget(): void {
    for (const name of this.#made.keys()) if (name.startsWith(sessionOf)) this.#made.delete(name);
  }

  /**
   * Requests a code and reads it. Rejects with `Blocked` if none is sent, and with `MissingInput` if it is unreadable or the
   * server's limit is reached.
   */
  async code(uid: string = this.#customer): Promise<SentCode> {
    const sent = await this.#generate(uid);
    if (!isSuccess(sent))
      throw new Blocked(prerequisites.signIn, `No code was sent to ${uid}: ${describeAnswer(sent)}.`);
    return this.read(uid, sent);
  }

  /**
   * Attempts to sign a customer in. Resolves with the result, even if the server refuses. `unread` is the reason that a code
   * reported as sent is missing: it did not arrive or cannot be read.
   */
  async attempt(uid: string) {
    const sent = await this.#generate(uid);
    if (!isSuccess(sent)) return { sent };
    let code: SentCode;
    try {
      code = await this.read(uid, sent);
    } catch (error) {
      if (error instanceof MissingInput || (error instanceof Blocked && error.needed.includes(prerequisites.signIn)))
        return { sent, unread: error };
      throw error;
    }
    const signedIn = await this.#operations.verifyOtp(verificationOf(code));
    const { token } = fieldsIn(signedIn);
    if (!isSuccess(signedIn) || typeof token !== 'string' || token === '') return { sent, code, signedIn };
    return { sent, code, signedIn, token };
  }

  /** Requests a code. A refusal counts as a limit if codes were already sent, or if it reports too many calls (OP-126). */
  async #generate(uid: string): Promise<Answer> {
    const answer = await this.#operations.generateOtp({ customer_id: uid });
    if (isRefusal(answer) && (answer.status === 429 || this.#sent.has(uid) || /too many/i.test(describeAnswer(answer))))
      throw new MissingInput(
        `${uid} has reached the limit of codes: ${describeAnswer(answer)}. Run it again in ten minutes.`,
      );
    if (isSuccess(answer)) this.#sent.add(uid);
    return answer;
  }

  /** Reads the code that a successful reply to a code request refers to. */
  async read(uid: string, sent: Answer): Promise<SentCode> {
    const reference_id = referenceIn(sent);
    return { uid, reference_id, otp: await this.#readCode({ customer_id: uid, reference_id }), sent };
  }
}
