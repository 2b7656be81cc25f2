// @ts-check
/** Builds a request to the sandbox from the fields of a panel. */

/**
 * @typedef {import('../../console-calls.ts').ConsoleCall} ConsoleCall
 * @typedef {import('../../console-calls.ts').Steps} Steps
 * @typedef {Readonly<Record<string, string>>} Variables
 */

/**
 * Values that the reader entered.
 * @typedef {object} Entered
 * @property {Readonly<Record<string, string>>} parameters By location and name, such as `query uid`.
 * @property {string} body
 */

/** Thrown for a request that cannot be sent. The message explains how to complete it. */
export class UnfinishedRequest extends Error {}

/**
 * Returns the path and options of a request. Throws `UnfinishedRequest` for an empty path parameter, a variable without
 * a value, or a body that is not JSON.
 * @param {ConsoleCall} call
 * @param {Entered} entered
 * @param {(text: string) => string} fill Replaces variables in a string with their values.
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
  // Browsers resolve `.` and `..` before sending, which would call another operation.
  if (value === '' || value === '.' || value === '..') throw new UnfinishedRequest(`Enter a value for ${name}.`);
  return encodeURIComponent(value);
}

/**
 * Fills in variables after parsing, so that no value can break the JSON.
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
 * Returns a function that replaces variables with their values. `{{RANDOM}}` has a new value every time.
 * @param {Variables} variables
 * @param {Readonly<Record<string, string>>} setBy The operation that sets each variable.
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

/** Returns a random id. `crypto.randomUUID` is not available to pages served over plain HTTP from another machine. */
function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Extracts variables from a document. Skips those without a value.
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
