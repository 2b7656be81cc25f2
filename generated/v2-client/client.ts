/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'POST /api/v1/auth/generate-otp': 'basic',
  'POST /api/v1/auth/verify-otp': 'basic',
  'GET /api/v1/customer/points': 'bearer',
  'POST /api/v1/orders/redeem': 'bearer',
  'POST /api/v1/orders/reverse': 'bearer',
};

/** REST API v2.0, hosted by the client: The five version 2.0 resources that the client hosts, including sign-in. */
export type V2ClientClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createV2ClientClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): V2ClientClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
