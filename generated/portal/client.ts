/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'GET /': 'none',
  'GET /signin': 'none',
  'GET /ended': 'none',
  'GET /s/{session}/rewards': 'none',
  'GET /s/{session}/rewards/{sku}': 'none',
  'GET /s/{session}/checkout': 'none',
  'POST /s/{session}/orders': 'none',
  'GET /s/{session}/orders/{order_id}': 'none',
  'POST /s/{session}/orders/{order_id}/cancel': 'none',
  'GET /s/{session}/history': 'none',
  'POST /s/{session}/end': 'none',
};

/** Redemption portal: The URL that the client sends its customers to, and the pages that follow. */
export type PortalClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createPortalClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): PortalClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
