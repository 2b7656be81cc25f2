/** Customers' sessions: signing in by a one-time password, wherever the server's messages can be read. */

import { type Answer, jsonOf } from './answer.ts';
import { describeAnswer, isRefusal, isSuccess } from './assertions.ts';
import { readJwt } from './forging.ts';
import type { Operations, OtpVerification } from './operations.ts';
import { prerequisites } from './requirement.ts';
import { Blocked, MissingInput, type ReadCode } from './verdict.ts';

/** A customer who is signed in. */
export interface Session {
  readonly uid: string;
  readonly token: string;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

/** Seconds before its expiry from which a session is no longer used. */
const margin = 10;

/** A code that a customer was sent. */
export interface SentCode {
  readonly uid: string;
  readonly reference_id: string;
  readonly otp: string;
  /** The reply that said so. */
  readonly sent: Answer;
}

/** The sign-in with a code. */
export function verificationOf({ uid, otp, reference_id }: SentCode): OtpVerification {
  return { customer_id: uid, otp, reference_id };
}

/** The result of signing in. */
export interface SignIn {
  readonly sent: Answer;
  /** Why there is no code, where the reply says that one was sent: it cannot be read, or it did not come. */
  readonly unread?: MissingInput | Blocked;
  readonly code?: SentCode;
  readonly signedIn?: Answer;
  readonly token?: string;
}

/** The reference of the code that a reply says was sent; empty if it has none. */
export function referenceIn(sent: Answer): string {
  const { reference_id } = (jsonOf(sent) ?? {}) as { reference_id?: unknown };
  return typeof reference_id === 'string' ? reference_id : '';
}

/** What the names of sessions begin with, among what is made once. */
const sessionOf = 'session of ';

/** For how many seconds a token works, by its own claims; undefined if it does not say. */
export function lifetimeOf(token: string): number | undefined {
  const { iat, exp } = (readJwt(token)?.claims ?? {}) as Partial<Record<'iat' | 'exp', unknown>>;
  const seconds = Number(exp) - Number(iat);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The sessions of one run, each made once. */
export class Sessions {
  readonly #operations: Operations;
  readonly #readCode: ReadCode;
  readonly #now: () => number;
  readonly #made = new Map<string, Promise<unknown>>();
  /** The first session of each customer. */
  readonly #first = new Map<string, Session>();
  /** Customers who were sent a code. */
  readonly #sent = new Set<string>();

  constructor(operations: Operations, read: ReadCode, now: () => number) {
    this.#now = now;
    this.#operations = operations;
    this.#readCode = read;
  }

  /** A customer's session. Each call rejects with Blocked if the customer cannot be signed in. */
  async of(uid: string): Promise<Session> {
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

  /** The customer's session that was made first in this run, which ends first. */
  async oldest(uid: string): Promise<Session> {
    const session = await this.of(uid);
    return this.#first.get(uid) ?? session;
  }

  /** The result of the customer's first sign-in. */
  first(uid: string): Promise<SignIn & Pick<Session, 'at'>> {
    return this.once(`${sessionOf}${uid}`, async () => ({ ...(await this.attempt(uid)), at: this.#now() }));
  }

  /** What is made once in a run, by its name; made again by the next who asks where it rejected. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const cached = this.#made.get(name);
    if (cached !== undefined) return cached as Promise<T>;
    const made = make();
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    return made;
  }

  /** Discards all sessions so far, as if they had expired. */
  forget(): void {
    for (const name of this.#made.keys()) if (name.startsWith(sessionOf)) this.#made.delete(name);
  }

  /** Has a code sent, and reads it. Rejects with MissingInput if the server sends no more for now. */
  async code(uid: string): Promise<SentCode> {
    const sent = await this.#generate(uid);
    if (!isSuccess(sent))
      throw new Blocked(prerequisites.signIn, `No code was sent to ${uid}: ${describeAnswer(sent)}.`);
    return this.read(uid, sent);
  }

  /** Signs in, and returns the result. */
  async attempt(uid: string): Promise<SignIn> {
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
    const { token } = (jsonOf(signedIn) ?? {}) as { token?: unknown };
    if (!isSuccess(signedIn) || typeof token !== 'string' || token === '') return { sent, code, signedIn };
    return { sent, code, signedIn, token };
  }

  /** Asks for a code. A refusal after codes were sent, or one that is about the number of calls, is a limit (OP-126). */
  async #generate(uid: string): Promise<Answer> {
    const answer = await this.#operations.generateOtp({ customer_id: uid });
    if (isRefusal(answer) && (answer.status === 429 || this.#sent.has(uid) || /too many/i.test(describeAnswer(answer))))
      throw new MissingInput(
        `${uid} has reached the limit of codes: ${describeAnswer(answer)}. Run it again in ten minutes.`,
      );
    if (isSuccess(answer)) this.#sent.add(uid);
    return answer;
  }

  /** Reads the code of a reply that said that one was sent. */
  async read(uid: string, sent: Answer): Promise<SentCode> {
    const reference_id = referenceIn(sent);
    return { uid, reference_id, otp: await this.#readCode({ customer_id: uid, reference_id }), sent };
  }
}
