import type { components } from '../../../generated/sandbox/types.ts';

/** How a caller obtains the credential of each security scheme. The reference's console also uses this module. */

type Credentials = components['schemas']['Workspace']['credentials'];

/** The two calls required for signing in. */
interface SignInCalls {
  post: (path: string, body: unknown, credential?: string) => Promise<Record<string, string>>;
  /** Reads a one-time password from the outbox. */
  readOtp: (reference: string) => Promise<string | undefined>;
}

/** The security schemes that require a customer. */
export const ofCustomer = ['customerToken', 'customerBearer', 'customerJwt', 'accessToken'];

/** The scheme name for callers without a credential. */
export const none = 'none';

/** Returns the value of the Authorization header for a security scheme; `undefined` for none. Signs in if the scheme requires it. */
export async function authorizationBy(calls: SignInCalls, scheme: string, credentials: Credentials, uid: string) {
  const { service_token, general, gateway_token } = credentials;
  const values: Readonly<Record<string, () => string | Promise<string>>> = {
    basic: () => basicOf(credentials),
    serviceToken: () => `Bearer ${service_token}`,
    gatewayToken: () => `Bearer ${gateway_token}`,
    companyToken: () => companyToken(calls, credentials),
    companyBearer: async () => `Bearer ${await companyToken(calls, credentials)}`,
    customerJwt: async () => `Bearer ${await customerJwt(calls, credentials, uid)}`,
    customerToken: () => customerToken(calls, credentials, uid),
    customerBearer: async () => `Bearer ${await customerToken(calls, credentials, uid)}`,
    async accessToken() {
      const body = { username: uid, password: general.password };
      return `Bearer ${(await calls.post('/general/v1/auth/login', body)).access_token}`;
    },
  };
  return values[scheme]?.();
}

function basicOf({ basic }: Credentials) {
  return `Basic ${btoa(`${basic.username}:${basic.password}`)}`;
}

async function companyToken(calls: SignInCalls, { company_secret: secret }: Credentials) {
  return (await calls.post('/rewards/v1/company/auth', { secret })).token ?? '';
}

async function customerToken(calls: SignInCalls, credentials: Credentials, uid: string) {
  const token = await customerJwt(calls, credentials, uid);
  const company = await companyToken(calls, credentials);
  return (await calls.post('/rewards/v1/customer/auth', { uid, token }, company)).token ?? '';
}

/** Signs a customer in: sends a one-time password, reads it from the outbox, and verifies it. */
async function customerJwt(calls: SignInCalls, credentials: Credentials, uid: string) {
  const basic = basicOf(credentials);
  const { reference_id = '' } = await calls.post('/client/api/v1/auth/generate-otp', { customer_id: uid }, basic);
  const otp = await calls.readOtp(reference_id);
  const body = { customer_id: uid, otp, reference_id };
  return (await calls.post('/client/api/v1/auth/verify-otp', body, basic)).token ?? '';
}
