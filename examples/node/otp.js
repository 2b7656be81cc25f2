/** Creates, sends and verifies one-time passwords. */
import { randomInt, randomUUID } from 'node:crypto';
import { Refused } from './refused.js';
import { same } from './tokens.js';

export const otpSeconds = 300;
const mostTries = 5;
const windowMilliseconds = 10 * 60 * 1000;

export class OneTimePasswords {
  /** The newest code of each customer. Older codes are invalid. */
  #newest = new Map();
  #limit;

  /** @param limit maximum number of codes sent to a customer in ten minutes since the last sign-in; 0 means no limit */
  constructor(limit) {
    this.#limit = limit;
  }

  /** Creates a code that replaces the customer's previous one. */
  make(uid) {
    const now = Date.now();
    const sent = (this.#newest.get(uid)?.sent ?? []).filter((at) => now - at < windowMilliseconds);
    if (this.#limit > 0 && sent.length >= this.#limit) {
      throw new Refused(422, 'Too many OTP requests. Try again later.');
    }
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const reference = randomUUID();
    const times = this.#limit > 0 ? [...sent, now] : [];
    this.#newest.set(uid, { code, reference, until: now + otpSeconds * 1000, tries: 0, used: false, sent: times });
    return { code, reference };
  }

  /** Verifies and consumes a code. Refuses every code except the customer's newest with this reference. */
  use(uid, code, reference) {
    const otp = this.#newest.get(uid);
    if (otp?.reference !== reference) throw new Refused(422, 'Unknown reference_id.');
    if (otp.used) throw new Refused(422, 'OTP has already been used.');
    if (otp.tries >= mostTries) throw new Refused(422, 'Too many attempts for this OTP. Request a new one.');
    otp.tries += 1;
    if (Date.now() >= otp.until) throw new Refused(422, 'OTP has expired.');
    if (!same(code, otp.code)) throw new Refused(422, 'Incorrect OTP.');
    otp.used = true;
    otp.sent = [];
  }
}

/** Returns a function that sends an SMS through the gateway at `url`, or prints it if there is no URL. */
export function messageGateway(url, authorization) {
  return async (message) => {
    const body = JSON.stringify({ channel: 'sms', ...message });
    if (!url) return console.log(`message ${body}`);
    const headers = { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) };
    const reply = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) }).catch(
      (error) => ({ ok: false, status: error.message }),
    );
    if (reply.ok) return;
    console.error(`The message gateway did not take a message: ${reply.status}`);
    throw new Refused(503, 'Temporarily unavailable');
  };
}
