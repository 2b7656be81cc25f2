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
