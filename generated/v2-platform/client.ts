/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'GET /api/v1/catalog': 'bare',
  'POST /api/v1/orders': 'bare',
  'GET /api/v1/orders/status': 'bare',
};

/** REST API v2.0, hosted by the platform: The three version 2.0 resources that the platform hosts. */
export type V2PlatformClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createV2PlatformClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): V2PlatformClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
