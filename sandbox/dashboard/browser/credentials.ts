// @ts-check
/** What opens an operation, fetched from the parties as any caller has to. */
import { api, ask, CallFailure, messageOf } from './api.js';
import { authorizationBy } from './authorization.js';

/**
 * @typedef {import('./api.js').Schemas} Schemas
 * @typedef {Schemas['Workspace']} Workspace
 */

export { none, ofCustomer } from './authorization.js';

/**
 * The credentials of a workspace, each with what it is called.
 * @param {Workspace['credentials']} credentials
 * @returns {readonly (readonly [string, string])[]}
 */
export function named({ company_secret, basic, service_token, general, gateway_token }) {
  return [
    ['Company secret', company_secret],
    ['Microsite user', basic.username],
    ['Microsite password', basic.password],
    ['Service token', service_token],
    ['General API password', general.password],
    ['Gateway token', gateway_token],
  ];
}

/**
 * The value of the Authorization header that a security scheme asks for; undefined for none. Signs in where the scheme
 * needs it.
 * @param {string} scheme A name from the contracts.
 * @param {Workspace} workspace
 * @param {string} uid Of the customer, for the schemes of customers.
 * @returns {Promise<string | undefined>}
 */
export function authorization(scheme, workspace, uid) {
  return authorizationBy({ post, readOtp }, scheme, workspace.credentials, uid);
}

/** @param {string} reference_id */
async function readOtp(reference_id) {
  const { items } = await ask(api.GET('/messages', { params: { query: { reference_id } } }));
  return items[0]?.otp;
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {string} [credential]
 * @returns {Promise<Record<string, string>>}
 */
async function post(path, body, credential) {
  /** @type {Record<string, string>} */
  const headers = { 'Content-Type': 'application/json' };
  if (credential !== undefined) headers.Authorization = credential;
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const reply = await response.json();
  if (response.ok) return reply;
  const trace = response.headers.get('x-trace-id') ?? undefined;
  throw new CallFailure(`Could not sign in at ${path}: ${messageOf(reply) ?? response.status}`, response.status, trace);
}

/**
 * A body from the activity log with the workspace's own secrets back in their places. What else is masked stays so.
 * @param {unknown} body
 * @param {Workspace} workspace
 * @returns {unknown}
 */
export function unmasked(body, workspace) {
  if (body === null || typeof body !== 'object') return body;
  const { company_secret, general } = workspace.credentials;
  const own = /** @type {Record<string, string>} */ ({ secret: company_secret, password: general.password });
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      /^string of \d+ \(masked/.test(String(value)) ? (own[name] ?? value) : value,
    ]),
  );
}

/**
 * Whether something is hidden in a text of the activity log: a field of a body, or a part of an address.
 * @param {string} text
 */
export function hasMask(text) {
  return text.includes('***') || text.includes(' (masked');
}
