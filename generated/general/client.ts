/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'POST /v1/auth/login': 'none',
  'GET /v1/users/profile': 'bearer',
  'GET /v1/products': 'bearer',
  'POST /v1/orders': 'bearer',
};

/** General API: The API that the platform hosts for a signed-in user: login, profile, products and orders. */
export type GeneralClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createGeneralClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): GeneralClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
