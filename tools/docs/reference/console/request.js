// @ts-check
/** Turns what the fields of a panel contain into a request to the sandbox that serves the page. */

/**
 * @typedef {import('../../console-calls.ts').ConsoleCall} ConsoleCall
 * @typedef {import('../../console-calls.ts').Steps} Steps
 * @typedef {Readonly<Record<string, string>>} Variables
 */

/**
 * What a reader entered.
 * @typedef {object} Entered
 * @property {Readonly<Record<string, string>>} parameters By place and name, as `query uid`.
 * @property {string} body
 */

/** A request that cannot be sent, with what the reader can do about it. */
export class UnfinishedRequest extends Error {}

/**
 * The path and the options of a request. Throws UnfinishedRequest for an empty path parameter, a variable without a
 * value, and a body that is not JSON.
 * @param {ConsoleCall} call
 * @param {Entered} entered
 * @param {(text: string) => string} fill Puts the values of variables into a text.
 * @returns {{ path: string, method: string, headers: Record<string, string>, body?: string }}
 */
export function requestOf(call, entered, fill) {
  let path = call.path;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const { name, in: place } of call.parameters) {
    const value = fill((entered.parameters[`${place} ${name}`] ?? '').trim());
    if (place === 'path') path = path.replace(`{${name}}`, segment(name, value));
    else if (value === '') continue;
    else if (place === 'query') query.append(name, value);
    else headers[name] = value;
  }
  const target = query.size === 0 ? path : `${path}?${query}`;
  const text = call.body === undefined ? '' : entered.body.trim();
  if (text === '') return { path: target, method: call.method, headers };
  headers['Content-Type'] = 'application/json';
  return { path: target, method: call.method, headers, body: fillJson(text, fill) };
}

/** @param {string} name @param {string} value */
function segment(name, value) {
  // A browser resolves these two before it sends, which would call another operation.
  if (value === '' || value === '.' || value === '..') throw new UnfinishedRequest(`Enter a value for ${name}.`);
  return encodeURIComponent(value);
}

/**
 * Fills variables in after parsing, so that no value can break the JSON.
 * @param {string} text @param {(text: string) => string} fill
 */
function fillJson(text, fill) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnfinishedRequest(`The body is not JSON: ${/** @type {Error} */ (error).message}.`);
  }
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? fill(part) : part));
}

/**
 * Puts the values of variables into texts: `{{RANDOM}}` is new in each request.
 * @param {Variables} variables
 * @param {Readonly<Record<string, string>>} setBy Which operation sets a variable.
 * @returns {(text: string) => string}
 */
export function filler(variables, setBy) {
  return (text) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, /** @type {string} */ name) => {
      if (name === 'RANDOM') return randomId();
      const value = variables[name];
      if (value !== undefined) return value;
      const first = setBy[name] === undefined ? '' : `Send ${setBy[name]} first, or r`;
      throw new UnfinishedRequest(
        `{{${name}}} has no value yet. ${first === '' ? 'R' : first}eplace it with a value of your own.`,
      );
    });
}

/** Not `crypto.randomUUID`, which pages over plain HTTP from another machine do not have. */
function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The variables that a document has values for.
 * @param {Steps} keeps
 * @param {unknown} document
 * @returns {Record<string, string>}
 */
export function variablesIn(keeps, document) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const [name, steps] of Object.entries(keeps)) {
    const value = steps.reduce((part, step, index) => stepInto(part, step, steps[index + 1]), document);
    if (typeof value === 'string' || typeof value === 'number') found[name] = String(value);
  }
  return found;
}

/**
 * @param {unknown} part
 * @param {string} step
 * @param {string | undefined} next
 * @returns {unknown}
 */
function stepInto(part, step, next) {
  if (step === '*') return Array.isArray(part) ? part.find((item) => Boolean(item?.[next ?? ''])) : undefined;
  if (part === null || typeof part !== 'object' || !Object.hasOwn(part, step)) return undefined;
  return /** @type {Record<string, unknown>} */ (part)[step];
}
