// @ts-check
/** How a caller gets the credential of each security scheme. The console of the reference uses this module too. */

/**
 * @typedef {import('../../../generated/sandbox/types.ts').components['schemas']['Workspace']['credentials']} Credentials
 */

/**
 * The two calls that signing in needs.
 * @typedef {object} SignInCalls
 * @property {(path: string, body: unknown, credential?: string) => Promise<Record<string, string>>} post
 * @property {(reference: string) => Promise<string | undefined>} readOtp Reads a one-time password from the outbox.
 */

/** The security schemes that belong to a customer, who has to be named. */
export const ofCustomer = ['customerToken', 'customerBearer', 'customerJwt', 'accessToken'];

/** What a caller without a credential is called in the list of ways to sign in. */
export const none = 'none';

/**
 * The value of the Authorization header that a security scheme asks for; undefined for none. Signs in where the scheme
 * needs it.
 * @param {SignInCalls} calls
 * @param {string} scheme A name from the contracts.
 * @param {Credentials} credentials Of the workspace.
 * @param {string} uid Of the customer, for the schemes of customers.
 * @returns {Promise<string | undefined>}
 */
export async function authorizationBy(calls, scheme, credentials, uid) {
  const { service_token, general, gateway_token } = credentials;
  switch (scheme) {
    case 'basic':
      return basicOf(credentials);
    case 'serviceToken':
      return `Bearer ${service_token}`;
    case 'gatewayToken':
      return `Bearer ${gateway_token}`;
    case 'companyToken':
      return companyToken(calls, credentials);
    case 'companyBearer':
      return `Bearer ${await companyToken(calls, credentials)}`;
    case 'customerJwt':
      return `Bearer ${await customerJwt(calls, credentials, uid)}`;
    case 'customerToken':
      return customerToken(calls, credentials, uid);
    case 'customerBearer':
      return `Bearer ${await customerToken(calls, credentials, uid)}`;
    case 'accessToken': {
      const { access_token } = await calls.post('/general/v1/auth/login', {
        username: uid,
        password: general.password,
      });
      return `Bearer ${access_token}`;
    }
    default:
      return undefined;
  }
}

/** @param {Credentials} credentials */
function basicOf({ basic }) {
  return `Basic ${btoa(`${basic.username}:${basic.password}`)}`;
}

/**
 * @param {SignInCalls} calls
 * @param {Credentials} credentials
 */
async function companyToken(calls, { company_secret: secret }) {
  return (await calls.post('/rewards/v1/company/auth', { secret })).token ?? '';
}

/**
 * @param {SignInCalls} calls
 * @param {Credentials} credentials
 * @param {string} uid
 */
async function customerToken(calls, credentials, uid) {
  const token = await customerJwt(calls, credentials, uid);
  const company = await companyToken(calls, credentials);
  return (await calls.post('/rewards/v1/customer/auth', { uid, token }, company)).token ?? '';
}

/**
 * Signs a customer in: a one-time password is sent, read from the outbox, and verified.
 * @param {SignInCalls} calls
 * @param {Credentials} credentials
 * @param {string} uid
 */
async function customerJwt(calls, credentials, uid) {
  const basic = basicOf(credentials);
  const { reference_id = '' } = await calls.post('/client/api/v1/auth/generate-otp', { customer_id: uid }, basic);
  const otp = await calls.readOtp(reference_id);
  const body = { customer_id: uid, otp, reference_id };
  return (await calls.post('/client/api/v1/auth/verify-otp', body, basic)).token ?? '';
}
