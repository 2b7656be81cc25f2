/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'POST /api/v1/auth/generate-otp': 'basic',
  'POST /api/v1/auth/verify-otp': 'basic',
};

/** Customer authentication: The API that the client hosts for its customers' sign-in: request an OTP, verify it. */
export type AuthClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createAuthClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): AuthClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
