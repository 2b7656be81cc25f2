/** Sign-in by one-time password. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Body } from './fields.ts';
import type { Ledger } from './ledger.ts';
import type { Has } from './mistakes.ts';
import { type Reply, refuse, success } from './replies.ts';
import type { PartnerSettings } from './settings.ts';
import type { CustomerTokens } from './tokens.ts';

const [codeSeconds, tries, lockMs, windowMs] = [300, 5, 15 * 60_000, 10 * 60_000];

interface Code {
  readonly uid: string;
  readonly code: string;
  readonly until: number;
  tries: number;
  used: boolean;
}

/** The state of a customer's sign-in. */
interface Visitor {
  newest?: string;
  sent: number[];
  failures: number;
  lockedUntil: number;
}

/** Sends one-time codes and signs customers in with them. */
export class SignIn {
  readonly #codes = new Map<string, Code>();
  readonly #visitors = new Map<string, Visitor>();
  readonly #settings: PartnerSettings;
  readonly #ledger: Ledger;
  readonly #tokens: CustomerTokens;
  readonly #has: Has;

  constructor(settings: PartnerSettings, ledger: Ledger, tokens: CustomerTokens, has: Has) {
    this.#settings = settings;
    this.#ledger = ledger;
    this.#tokens = tokens;
    this.#has = has;
  }

  /** Returns the code sent under a reference. If `uid` is set, the code must belong to that customer. */
  codeOf(reference: string, uid?: string): string | undefined {
    const code = this.#codes.get(reference);
    return uid === undefined || uid === code?.uid ? code?.code : undefined;
  }

  /** Returns the last code sent to the customer. */
  newestCodeOf(uid: string): string | undefined {
    return this.#codes.get(this.#visitors.get(uid)?.newest ?? '')?.code;
  }

  /** Sends a code. */
  generate(body: Body): Reply {
    if (body.customer_id === undefined) return success({ success: true, status: 200, reference_id: 'OTP-NOBODY' });
    const uid = String(body.customer_id);
    const isCustomer = this.#ledger.points(uid, 1) !== undefined;
    if (!isCustomer && !this.#has('otp-unknown-sent')) return refuse('unknown_customer');
    const now = this.#settings.now();
    const visitor = this.#visitor(uid);
    if (now < visitor.lockedUntil) return refuse('customer_locked');
    visitor.sent = visitor.sent.filter((at) => now - at < windowMs);
    if (visitor.sent.length >= this.#settings.mostOtps) return refuse('otp_limit_reached');
    const reference_id = `OTP-${randomUUID()}`;
    const code = this.#has('otp-same') ? '123456' : String(randomInt(1_000_000)).padStart(6, '0');
    this.#codes.set(reference_id, { uid, code, until: now + codeSeconds * 1000, tries: 0, used: false });
    visitor.sent.push(now);
    visitor.newest = reference_id;
    const mobile = this.#has('otp-mobile-plain') ? '9000000001' : '******0001';
    const leakedCode = this.#has('otp-in-reply') ? { otp: code } : {};
    return success({ success: true, status: 200, reference_id, expires_in: codeSeconds, mobile, ...leakedCode });
  }

  /** Verifies a code and signs the customer in. */
  verify(body: Body): Reply {
    const uid = String(body.customer_id);
    const points = this.#ledger.points(uid, 1);
    if (points === undefined)
      return refuse(this.#has('otp-unknown-revealed') ? 'unknown_customer' : 'otp_unknown_reference');
    const now = this.#settings.now();
    const visitor = this.#visitor(uid);
    if (now < visitor.lockedUntil) return refuse('customer_locked');
    const why = this.#judge(uid, body, now);
    if (why !== undefined) {
      visitor.failures += 1;
      if (visitor.failures >= this.#settings.lockAfter)
        Object.assign(visitor, { failures: 0, lockedUntil: now + lockMs });
      return refuse(why);
    }
    Object.assign(visitor, { failures: 0, sent: [] });
    const others = Object.keys(this.#settings.balances).filter((other) => other !== uid);
    const token = this.#tokens.sign(this.#has('otp-token-other-sub') ? (others[0] ?? 'OTHER') : uid, now);
    const expires_in = this.#settings.tokenSeconds;
    return success({ success: true, status: 200, token, token_type: 'Bearer', expires_in, points });
  }

  #judge(uid: string, body: Body, now: number) {
    const reference = String(body.reference_id);
    const { newest } = this.#visitor(uid);
    const named = this.#has('otp-any-reference') ? newest : reference;
    const code = this.#codes.get(named ?? '');
    if (code === undefined) return 'otp_unknown_reference';
    if (code.uid !== uid && !this.#has('otp-any-customer')) return 'otp_unknown_reference';
    if (code.used && !this.#has('otp-reusable')) return 'otp_used';
    if (this.#visitor(code.uid).newest !== named && !this.#has('otp-older')) return 'otp_replaced';
    if (code.tries >= tries && !this.#has('otp-unbounded')) return 'otp_tries_exceeded';
    if (now >= code.until && !this.#has('otp-never-expires')) return 'otp_expired';
    code.tries += 1;
    const otp = body.otp ?? code.code;
    const isMaster = otp === '000000' && this.#has('otp-master-code');
    if (code.code !== otp && !isMaster && !this.#has('otp-any-code')) return 'otp_wrong';
    code.used = true;
    return undefined;
  }

  #visitor(uid: string): Visitor {
    const visitor = this.#visitors.get(uid) ?? { sent: [], failures: 0, lockedUntil: 0 };
    this.#visitors.set(uid, visitor);
    return visitor;
  }
}
