/** One-time passwords of the reference client (OP-18, OP-125, OP-126). */

import type { ClientFailure } from './failures.ts';

/** Where a workspace has no other settings. */
export const otpLifetimeSeconds = 300;
export const triesPerOtp = 5;
export const failuresUntilLock = 20;
export const lockSeconds = 15 * 60;
/** Codes that a customer is sent in a window of time, where none of them signs in (OP-126). */
export const codesPerWindow = 5;
export const windowSeconds = 10 * 60;

/** A code that was sent. `secret` is a digest of the code, never the code itself. Times are milliseconds. */
export interface Otp {
  readonly reference_id: string;
  readonly uid: string;
  readonly digest: string;
  readonly expiresAt: number;
  readonly tries: number;
  readonly used: boolean;
  /** A newer one was sent to the customer (OP-125). */
  readonly replaced?: true;
}

/** What a customer was sent: the code that counts, and when the newest were sent since the last sign-in, in milliseconds. */
export interface SentCodes {
  readonly reference_id: string;
  readonly at: readonly number[];
}

/**
 * Seconds until the customer can get another code, 0 for immediately (OP-126). A code with a later time than now was sent
 * before the clock was set back, and does not delay.
 */
export function waitForCode(sent: SentCodes | undefined, now: number): number {
  const fifth = recent(sent, now).at(-codesPerWindow);
  return fifth === undefined ? 0 : Math.ceil((fifth + windowSeconds * 1000 - now) / 1000);
}

/** What the customer was sent, once there is one more code. At most as many instants are stored as a window allows. */
export function afterCode(sent: SentCodes | undefined, reference_id: string, now: number): SentCodes {
  return { reference_id, at: [...recent(sent, now), now].slice(-codesPerWindow) };
}

function recent(sent: SentCodes | undefined, now: number): readonly number[] {
  return (sent?.at ?? []).filter((at) => at <= now && now - at < windowSeconds * 1000);
}

/** A customer's failures in a row over any number of codes. `lockedUntil` is in milliseconds. */
export interface Attempts {
  readonly failures: number;
  readonly lockedUntil: number;
}

export const noAttempts: Attempts = { failures: 0, lockedUntil: 0 };

type OtpFailureKind = Exclude<Extract<ClientFailure['kind'], `otp_${string}` | 'customer_locked'>, 'otp_limit_reached'>;

interface OtpVerdict {
  readonly failure?: OtpFailureKind;
  /** The code as it is after this try; undefined when there is none. */
  readonly otp: Otp | undefined;
  readonly attempts: Attempts;
}

/**
 * Whether the customer may neither ask for a code nor try one. An end that is further away than a lock lasts was set
 * before the clock was set back, and locks nobody.
 */
export function isLocked({ lockedUntil }: Attempts, now: number): boolean {
  return now < lockedUntil && lockedUntil - now <= lockSeconds * 1000;
}

/** How long a code is valid, in words. */
export function validityWords(seconds: number): string {
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

/**
 * Checks one try. A wrong code, and a right one that is too late, used, replaced or tried out, count as failures in a row;
 * success clears the count, a new code does not. While locked nothing is checked and nothing is counted.
 */
export function verify(
  otp: Otp | undefined,
  matches: boolean,
  attempts: Attempts,
  now: number,
  tries = triesPerOtp,
): OtpVerdict {
  if (isLocked(attempts, now)) return { failure: 'customer_locked', otp, attempts };
  const refuse = (failure: OtpFailureKind, after = otp) => ({ failure, otp: after, attempts: fail(attempts, now) });
  if (otp === undefined) return refuse('otp_unknown_reference');
  if (otp.used) return refuse('otp_used');
  if (otp.replaced) return refuse('otp_replaced');
  if (otp.tries >= tries) return refuse('otp_tries_exceeded');
  const spent = { ...otp, tries: otp.tries + 1 };
  if (now >= otp.expiresAt) return refuse('otp_expired', spent);
  return matches ? { otp: { ...spent, used: true }, attempts: noAttempts } : refuse('otp_wrong', spent);
}

function fail(attempts: Attempts, now: number): Attempts {
  const failures = attempts.failures + 1;
  if (failures < failuresUntilLock) return { ...attempts, failures };
  return { failures: 0, lockedUntil: now + lockSeconds * 1000 };
}

/** A phone number with all but its last four digits hidden. */
export function maskMobile(mobile: string): string {
  return `${'*'.repeat(Math.max(0, mobile.length - 4))}${mobile.slice(-4)}`;
}

/** Words that a text with a one-time code has; a PIN is a voucher's. */
const naming = /(?<![\p{L}\p{M}])(otp|codes?|passcode|password|verif(y|ication)|ओटीपी|कोड|पासवर्ड)(?![\p{L}\p{M}])/iu;

/**
 * Four to eight digits that stand by themselves: no part of a word or an id, of a date, an amount with a point or an
 * address, and no amount of money.
 */
const codePattern =
  /(?<![\p{L}\p{N}+]|[\p{L}\p{N}][-/]|\p{N}[.,:]|(?:[₹$€]|\b(?:rs|inr)\.?) ?)\d{4,8}(?!\p{N}|\p{L}|[-/][\p{L}\p{N}]|[.,:]\p{N})/giu;

/**
 * Finds the one-time code of a text that speaks of one: the only run of four to eight digits that stands by itself;
 * where there are several, the only one of six. Undefined if that leaves none, or more than one (OP-166).
 */
export function codeIn(text: string): string | undefined {
  if (!naming.test(text)) return undefined;
  const runs = [...new Set(text.match(codePattern))];
  const sixes = runs.filter((run) => run.length === 6);
  const wanted = runs.length > 1 ? sixes : runs;
  return wanted.length === 1 ? wanted[0] : undefined;
}

/** How many digits a number has behind its country code, here and where the demo data is from. */
const subscriberDigits = 10;

/**
 * What two spellings of a phone number have in common: its last ten digits, without country code and spaces (OP-165).
 * Undefined for what has fewer.
 */
export function subscriberNumber(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length < subscriberDigits ? undefined : digits.slice(-subscriberDigits);
}
