/** One-time passwords: made, sent and tried. */
import { randomInt, randomUUID } from 'node:crypto';
import { Refused } from './refused.js';
import { same } from './tokens.js';

export const otpSeconds = 300;
const mostTries = 5;
const windowMilliseconds = 10 * 60 * 1000;

export class OneTimePasswords {
  /** The newest code of each customer: only that one counts. */
  #newest = new Map();
  #limit;

  /** @param limit codes that a customer is sent in ten minutes unless one of them is used; 0 is no limit */
  constructor(limit) {
    this.#limit = limit;
  }

  /** Makes a code that replaces the customer's former one. */
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

  /** Uses a code up; refuses one that is not this customer's newest under this reference. */
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

/** A function that sends an SMS through the gateway at an address, or prints it where there is none. */
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
