/** The one-time code in a text of another system (OP-166). */

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
 * where there are several, the only one of six. Undefined where that leaves none, or more than one.
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
