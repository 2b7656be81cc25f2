// @ts-check
/** The control API, as any other program calls it. */
import createClient from 'openapi-fetch';

/**
 * @typedef {import('../../../generated/sandbox/types.ts').paths} Paths
 * @typedef {import('../../../generated/sandbox/types.ts').components['schemas']} Schemas
 */

/** Key of the admin token in the session storage, which is cleared when the tab is closed (OP-68). */
const place = 'sandbox-admin-token';

export const base = `${location.origin}/sandbox/v1`;

/** The typed client of sandbox.yaml. */
export const api = /** @type {import('openapi-fetch').Client<Paths>} */ (createClient({ baseUrl: base }));

api.use({
  onRequest({ request }) {
    const token = adminToken();
    if (token !== '') request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  },
});

/** The token that calls carry; empty for none. */
export function adminToken() {
  return sessionStorage.getItem(place) ?? '';
}

/**
 * Acts on the workspace of a token from now on; without one on the demo workspace.
 * @param {string} token
 */
export function signInWith(token) {
  if (token === '') sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, token);
  location.reload();
}

/**
 * As `ask`, with the trace that the call left in the log.
 * @template T
 * @param {Promise<{ data?: T, error?: unknown, response: Response }>} call
 * @returns {Promise<{ data: T, trace: string }>}
 */
export async function traced(call) {
  const data = await ask(call);
  const { response } = await call;
  return { data, trace: response.headers.get('x-trace-id') ?? '' };
}

/** A call that was refused, or did not arrive. */
export class CallFailure extends Error {
  /**
   * @param {string} message
   * @param {number | undefined} status
   * @param {string | undefined} trace
   */
  constructor(message, status, trace) {
    super(message);
    this.status = status;
    this.trace = trace;
  }
}

/**
 * The body of a successful reply. Throws CallFailure, with what the sandbox says, for all else.
 * @template T
 * @param {Promise<{ data?: T, error?: unknown, response: Response }>} call
 * @returns {Promise<T>}
 */
export async function ask(call) {
  let answered;
  try {
    answered = await call;
  } catch {
    throw new CallFailure('The sandbox does not respond. Is it still running?', undefined, undefined);
  }
  const { data, error, response } = answered;
  if (response.ok) return /** @type {T} */ (data);
  const { message } = /** @type {{ message?: string }} */ (error ?? {});
  const trace = response.headers.get('x-trace-id') ?? undefined;
  throw new CallFailure(message ?? `The sandbox returned ${response.status}.`, response.status, trace);
}

/**
 * What the body of a refusal says, in the platform's envelope or in the client's; undefined where it says nothing.
 * @param {unknown} body
 * @returns {string | undefined}
 */
export function messageOf(body) {
  const { message, data } = /** @type {{ message?: unknown, data?: unknown }} */ (body ?? {});
  if (typeof message === 'string') return message;
  return data === undefined ? undefined : messageOf(data);
}

/** Pages that a screen reads of one list; what is behind them it does not show. */
const mostPages = 10;

/**
 * The items of a list, page after page, from its beginning.
 * @template T, P
 * @param {(slice: { limit: number, after?: P }) => Promise<{ data?: { items: T[], next: P | null }, error?: unknown, response: Response }>} page
 * @returns {Promise<T[]>}
 */
export async function allOf(page) {
  /** @type {T[]} */
  const found = [];
  /** @type {P | null | undefined} */
  let next;
  for (let pages = 0; pages < mostPages && next !== null; pages += 1) {
    const { items, next: after } = await ask(page({ limit: 1000, ...(next !== undefined && { after: next }) }));
    found.push(...items);
    next = after;
  }
  return found;
}
