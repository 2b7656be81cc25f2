/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'GET /': 'none',
  'GET /{screen}': 'none',
  'GET /redemptions/{redeemCode}': 'none',
};

/** Dashboard: Pages for integrators, to watch the calls between the parties and trigger events. */
export type DashboardClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createDashboardClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): DashboardClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
