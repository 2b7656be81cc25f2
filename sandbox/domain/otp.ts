/** One-time passwords of the reference client (OP-18, OP-125, OP-126). */

import type { ClientFailure } from './failures.ts';

/** The default lifetime of a code, in seconds. */
export const otpLifetimeSeconds = 300;
export const triesPerOtp = 5;
export const failuresUntilLock = 20;
export const lockSeconds = 15 * 60;
/** Maximum number of codes sent to a customer per window without a sign-in (OP-126). */
export const codesPerWindow = 5;
export const windowSeconds = 10 * 60;

/** A code that was sent. `digest` is a digest of the code, never the code itself. Times are in milliseconds. */
export interface Otp {
  readonly reference_id: string;
  readonly uid: string;
  readonly digest: string;
  readonly expiresAt: number;
  readonly tries: number;
  readonly used: boolean;
  /** Set if a newer code was sent to the customer (OP-125). */
  readonly replaced?: true;
}

/**
 * The codes sent to a customer: the id of the current one, and the times of the latest ones since the last sign-in, in
 * milliseconds.
 */
export interface SentCodes {
  readonly reference_id: string;
  readonly at: readonly number[];
}

/**
 * Returns the seconds until the customer can request another code; 0 if immediately (OP-126). A code with a later time
 * than `now` was sent before the clock was set back, and is ignored.
 */
export function waitForCode(sent: SentCodes | undefined, now: number): number {
  const fifth = recent(sent, now).at(-codesPerWindow);
  return fifth === undefined ? 0 : Math.ceil((fifth + windowSeconds * 1000 - now) / 1000);
}

/** Adds a code to a customer's sent codes. Stores the times of at most `codesPerWindow` codes. */
export function afterCode(sent: SentCodes | undefined, reference_id: string, now: number): SentCodes {
  return { reference_id, at: [...recent(sent, now), now].slice(-codesPerWindow) };
}

function recent(sent: SentCodes | undefined, now: number): readonly number[] {
  return (sent?.at ?? []).filter((at) => at <= now && now - at < windowSeconds * 1000);
}

/** A customer's consecutive failures, across all codes. `lockedUntil` is in milliseconds. */
export interface Attempts {
  readonly failures: number;
  readonly lockedUntil: number;
}

export const noAttempts: Attempts = { failures: 0, lockedUntil: 0 };

type OtpFailureKind = Exclude<Extract<ClientFailure['kind'], `otp_${string}` | 'customer_locked'>, 'otp_limit_reached'>;

/**
 * Returns whether the customer is locked out of requesting and entering codes. A lock that ends later than its maximum
 * duration allows was set before the clock was set back, and is ignored.
 */
export function isLocked({ lockedUntil }: Attempts, now: number): boolean {
  return now < lockedUntil && lockedUntil - now <= lockSeconds * 1000;
}

/** Formats the lifetime of a code in words. */
export function validityWords(seconds: number): string {
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

/**
 * Checks one attempt. A wrong code counts as a failure, and so does a correct one that is expired, used, replaced, or
 * out of attempts. A success resets the count of consecutive failures, but a new code does not. While the customer is
 * locked, nothing is checked or counted. Returns the failure, if any, and the code and the failures after this attempt.
 */
export function verify(otp: Otp | undefined, matches: boolean, attempts: Attempts, now: number, tries = triesPerOtp) {
  if (isLocked(attempts, now)) return { failure: 'customer_locked', otp, attempts } as const;
  const refuse = (failure: OtpFailureKind, after = otp) => ({ failure, otp: after, attempts: fail(attempts, now) });
  if (otp === undefined) return refuse('otp_unknown_reference');
  if (otp.used) return refuse('otp_used');
  if (otp.replaced) return refuse('otp_replaced');
  if (otp.tries >= tries) return refuse('otp_tries_exceeded');
  const spent = { ...otp, tries: otp.tries + 1 };
  if (now >= otp.expiresAt) return refuse('otp_expired', spent);
  if (!matches) return refuse('otp_wrong', spent);
  return { failure: undefined, otp: { ...spent, used: true }, attempts: noAttempts };
}

function fail(attempts: Attempts, now: number): Attempts {
  const failures = attempts.failures + 1;
  if (failures < failuresUntilLock) return { ...attempts, failures };
  return { failures: 0, lockedUntil: now + lockSeconds * 1000 };
}

/** Masks all but the last four digits of a phone number. */
export function maskMobile(mobile: string): string {
  return `${'*'.repeat(Math.max(0, mobile.length - 4))}${mobile.slice(-4)}`;
}

/** Matches the words that indicate a one-time code. A PIN is excluded because it belongs to a voucher. */
const naming = /(?<![\p{L}\p{M}])(otp|codes?|passcode|password|verif(y|ication)|ओटीपी|कोड|पासवर्ड)(?![\p{L}\p{M}])/iu;

/**
 * Matches a standalone run of four to eight digits. It must not be part of a word, an id, a date, a decimal amount, an
 * address or an amount of money.
 */
const codePattern =
  /(?<![\p{L}\p{N}+]|[\p{L}\p{N}][-/]|\p{N}[.,:]|(?:[₹$€]|\b(?:rs|inr)\.?) ?)\d{4,8}(?!\p{N}|\p{L}|[-/][\p{L}\p{N}]|[.,:]\p{N})/giu;

/**
 * Finds the code in text that mentions one (OP-166): the only standalone run of four to eight digits. If there are
 * several runs, returns the only one with six digits. Returns `undefined` if the result is not unique, or if nothing
 * matches.
 */
export function codeIn(text: string): string | undefined {
  if (!naming.test(text)) return undefined;
  const runs = [...new Set(text.match(codePattern))];
  const sixes = runs.filter((run) => run.length === 6);
  const wanted = runs.length > 1 ? sixes : runs;
  return wanted.length === 1 ? wanted[0] : undefined;
}

/** The number of digits of a phone number without its country code. */
const subscriberDigits = 10;

/**
 * Normalizes a phone number to its last ten digits, without country code and spaces (OP-165). Returns `undefined` if it
 * has fewer digits.
 */
export function subscriberNumber(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length < subscriberDigits ? undefined : digits.slice(-subscriberDigits);
}
