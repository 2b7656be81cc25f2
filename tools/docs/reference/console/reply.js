// @ts-check
/** What a response says to the reader: its body in lines, its redemptions, and its findings in words. */

/** @typedef {import('../../../../generated/sandbox/types.ts').components['schemas']['Finding']} Finding */

/** Characters of a body that a panel shows. */
export const longestBody = 200_000;

/** Redemptions that a panel links to. */
const mostRedemptions = 10;

/**
 * The document of a response; undefined where it is not JSON.
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
 * A body as the panel shows it: JSON indented, anything else unchanged.
 * @param {string} text
 */
export function shownBody(text) {
  const document = documentOf(text);
  return document === undefined ? text : JSON.stringify(document, null, 2);
}

/**
 * The redeem codes anywhere in a response, each once.
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
 * A finding in one line: which call, where in it, and what was expected.
 * @param {Finding} finding
 */
export function findingText({ operation, method, url, direction, pointer, expected, actual }) {
  const call = operation ?? `${method} ${url.split('?')[0]}`;
  const part = direction === 'request' ? 'request' : 'response';
  const got = actual === undefined ? '' : `, got ${actual}`;
  return `${call}, ${part}${pointer === undefined ? '' : ` ${pointer}`}: ${expected}${got}`;
}
