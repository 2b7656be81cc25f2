/** Customers' sessions: signing in by a one-time password, wherever the server's messages can be read. */
import { isSuccess, wordsOf } from './expecting.ts';
import { hangsOn } from './hangs-on.ts';
import type { Operations } from './operations.ts';
import { Blocked, type ReadCode } from './verdict.ts';

/** A customer who is signed in. */
export interface Session {
  readonly uid: string;
  readonly token: string;
}

/** The sessions of one run, each made once. */
export class Sessions {
  readonly #operations: Operations;
  readonly #read: ReadCode;
  readonly #signedIn: (session: Session) => void;
  readonly #known = new Map<string, Promise<Session>>();

  /** @param signedIn told of each session that was made */
  constructor(operations: Operations, read: ReadCode, signedIn: (session: Session) => void) {
    this.#operations = operations;
    this.#read = read;
    this.#signedIn = signedIn;
  }

  /** A customer's session; where signing in failed once, it is tried again by the next who asks. */
  of(uid: string): Promise<Session> {
    const known = this.#known.get(uid);
    if (known !== undefined) return known;
    const made = this.#signIn(uid);
    this.#known.set(uid, made);
    made.catch(() => this.#known.delete(uid));
    return made;
  }

  /** Has a code sent, and reads it. */
  async code(uid: string): Promise<{ readonly reference_id: string; readonly otp: string }> {
    const answer = await this.#operations.generateOtp({ customer_id: uid });
    const { reference_id } = (answer.json ?? {}) as { reference_id?: unknown };
    if (!isSuccess(answer)) throw new Blocked(hangsOn.signIn, `No code is sent to ${uid}: ${wordsOf(answer)}.`);
    const reference = typeof reference_id === 'string' ? reference_id : '';
    return { reference_id: reference, otp: await this.#read({ customer_id: uid, reference_id: reference }) };
  }

  async #signIn(uid: string): Promise<Session> {
    const { reference_id, otp } = await this.code(uid);
    const answer = await this.#operations.verifyOtp({ customer_id: uid, otp, reference_id });
    const { token } = (answer.json ?? {}) as { token?: unknown };
    if (isSuccess(answer) && typeof token === 'string' && token !== '') {
      this.#signedIn({ uid, token });
      return { uid, token };
    }
    throw new Blocked(hangsOn.signIn, `${uid} is not signed in: ${wordsOf(answer)}.`);
  }
}
