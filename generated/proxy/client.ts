/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'GET /findings': 'none',
};

/** Validation proxy: The findings of the proxy in the traffic that it forwards, and the schema of its reports. */
export type ProxyClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createProxyClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): ProxyClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
