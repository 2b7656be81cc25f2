// @ts-check
/** Converts a response for display: its formatted body, its redemptions, and its findings in words. */

/** @typedef {import('../../../../generated/sandbox/types.ts').components['schemas']['Finding']} Finding */

/** Maximum length of a body in a panel, in characters. */
export const longestBody = 200_000;

/** Maximum number of redemptions that a panel links to. */
const mostRedemptions = 10;

/**
 * Parses the text of a response. Returns `undefined` if it is not JSON.
 * @param {string} text
 * @returns {unknown}
 */
export function documentOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Formats a body for display: indents JSON, and leaves other text unchanged.
 * @param {string} text
 */
export function shownBody(text) {
  const document = documentOf(text);
  return document === undefined ? text : JSON.stringify(document, null, 2);
}

/**
 * Returns the redeem codes anywhere in a response, without duplicates.
 * @param {unknown} document
 * @returns {string[]}
 */
export function redeemCodesIn(document) {
  /** @type {Set<string>} */
  const found = new Set();
  JSON.stringify(document, (name, value) => {
    if (/^(redeemCode|redeem_code|redemptionCode)$/.test(name) && typeof value === 'string' && value !== '')
      found.add(value);
    return value;
  });
  return [...found].slice(0, mostRedemptions);
}

/** @param {string} trace */
export function traceAddress(trace) {
  return `/dashboard/traffic?q=${encodeURIComponent(trace)}`;
}

/** @param {string} redeemCode */
export function redemptionAddress(redeemCode) {
  return `/dashboard/redemptions/${encodeURIComponent(redeemCode)}`;
}

/**
 * Describes a finding in one line: the call, the location in it, and the expected value.
 * @param {Finding} finding
 */
export function findingText({ operation, method, url, direction, pointer, expected, actual }) {
  const call = operation ?? `${method} ${url.split('?')[0]}`;
  const part = direction === 'request' ? 'request' : 'response';
  const got = actual === undefined ? '' : `, got ${actual}`;
  return `${call}, ${part}${pointer === undefined ? '' : ` ${pointer}`}: ${expected}${got}`;
}
