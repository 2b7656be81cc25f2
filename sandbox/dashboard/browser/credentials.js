// @ts-check
/** What opens an operation, fetched from the parties as any caller has to. */
import { api, ask, CallFailure, messageOf } from './api.js';

/**
 * @typedef {import('./api.js').Schemas} Schemas
 * @typedef {Schemas['Workspace']} Workspace
 */

/** The security schemes that belong to a customer, who has to be named. */
export const ofCustomer = ['customerToken', 'customerBearer', 'customerJwt', 'accessToken'];

/** What a caller without a credential is called in the list of ways to sign in. */
export const none = 'none';

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
 * The value of the Authorization header that a security scheme asks for; undefined for none. Signs in where it takes
 * that.
 * @param {string} scheme A name from the contracts.
 * @param {Workspace} workspace
 * @param {string} uid Of the customer, for the schemes of customers.
 * @returns {Promise<string | undefined>}
 */
export async function authorization(scheme, workspace, uid) {
  const { basic, service_token, company_secret, general, gateway_token } = workspace.credentials;
  switch (scheme) {
    case 'basic':
      return `Basic ${btoa(`${basic.username}:${basic.password}`)}`;
    case 'serviceToken':
      return `Bearer ${service_token}`;
    case 'gatewayToken':
      return `Bearer ${gateway_token}`;
    case 'companyToken':
      return companyToken(company_secret);
    case 'companyBearer':
      return `Bearer ${await companyToken(company_secret)}`;
    case 'customerJwt':
      return `Bearer ${await customerJwt(workspace, uid)}`;
    case 'customerToken':
      return customerToken(workspace, uid);
    case 'customerBearer':
      return `Bearer ${await customerToken(workspace, uid)}`;
    case 'accessToken': {
      const { access_token } = await post('/general/v1/auth/login', { username: uid, password: general.password });
      return `Bearer ${access_token}`;
    }
    default:
      return undefined;
  }
}

/** @param {string} secret */
async function companyToken(secret) {
  return (await post('/rewards/v1/company/auth', { secret })).token ?? '';
}

/**
 * @param {Workspace} workspace
 * @param {string} uid
 */
async function customerToken(workspace, uid) {
  const token = await customerJwt(workspace, uid);
  const company = await companyToken(workspace.credentials.company_secret);
  return (await post('/rewards/v1/customer/auth', { uid, token }, company)).token ?? '';
}

/**
 * Signs a customer in: a one-time password is sent, read from the outbox, and verified.
 * @param {Workspace} workspace
 * @param {string} uid
 */
async function customerJwt(workspace, uid) {
  const basic = await authorization('basic', workspace, uid);
  const { reference_id = '' } = await post('/client/api/v1/auth/generate-otp', { customer_id: uid }, basic);
  const { items } = await ask(api.GET('/messages', { params: { query: { reference_id } } }));
  const otp = items[0]?.otp;
  return (await post('/client/api/v1/auth/verify-otp', { customer_id: uid, otp, reference_id }, basic)).token ?? '';
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
