/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'GET /health': 'none',
  'GET /workspace': 'none',
  'PATCH /workspace': 'none',
  'POST /reset': 'none',
  'GET /customers': 'none',
  'POST /customers': 'none',
  'PATCH /customers/{uid}': 'none',
  'GET /catalogue': 'none',
  'POST /catalogue': 'none',
  'DELETE /catalogue/{sku_code}': 'none',
  'PATCH /catalogue/{sku_code}': 'none',
  'GET /vendor-outcomes/{sku_code}': 'none',
  'PUT /vendor-outcomes/{sku_code}': 'none',
  'DELETE /vendor-outcomes/{sku_code}': 'none',
  'GET /faults': 'none',
  'POST /faults': 'none',
  'DELETE /faults': 'none',
  'DELETE /faults/{id}': 'none',
  'POST /triggers/payment': 'none',
  'POST /triggers/catalogue_change': 'none',
  'POST /triggers/status_update': 'none',
  'POST /triggers/timeout': 'none',
  'POST /triggers/vendor_outcome': 'none',
  'GET /messages': 'none',
  'GET /activity': 'none',
  'GET /activity/stream': 'none',
  'GET /orders': 'none',
  'GET /orders/{order_id}': 'none',
  'GET /ledger/{uid}': 'none',
  'GET /redemptions/{redeemCode}': 'none',
  'GET /reconciliation': 'none',
  'GET /deliveries': 'none',
  'POST /deliveries/replay': 'none',
  'POST /deliveries/{id}/replay': 'none',
  'GET /webhooks/{webhook_id}/deliveries': 'none',
  'GET /clock': 'none',
  'POST /clock/advance': 'none',
  'POST /settle': 'none',
};

/** Sandbox control API: What the sandbox adds for its users - look inside, prepare situations, move the clock. */
export type SandboxClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createSandboxClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): SandboxClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
