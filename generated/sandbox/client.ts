/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'GET /health': 'none',
  'GET /workspace': 'bearer',
  'PATCH /workspace': 'bearer',
  'GET /connection': 'bearer',
  'POST /reset': 'bearer',
  'GET /customers': 'bearer',
  'POST /customers': 'bearer',
  'PATCH /customers/{uid}': 'bearer',
  'GET /catalogue': 'bearer',
  'POST /catalogue': 'bearer',
  'DELETE /catalogue/{sku_code}': 'bearer',
  'PATCH /catalogue/{sku_code}': 'bearer',
  'GET /vendor-outcomes': 'bearer',
  'GET /vendor-outcomes/{sku_code}': 'bearer',
  'PUT /vendor-outcomes/{sku_code}': 'bearer',
  'DELETE /vendor-outcomes/{sku_code}': 'bearer',
  'GET /faults': 'bearer',
  'POST /faults': 'bearer',
  'DELETE /faults': 'bearer',
  'DELETE /faults/{id}': 'bearer',
  'GET /magic-values': 'bearer',
  'POST /triggers/payment': 'bearer',
  'POST /triggers/catalogue_change': 'bearer',
  'POST /triggers/webhook_test': 'bearer',
  'POST /triggers/status_update': 'bearer',
  'POST /triggers/timeout': 'bearer',
  'POST /triggers/vendor_outcome': 'bearer',
  'POST /triggers/cancellation': 'bearer',
  'GET /messages': 'bearer',
  'POST /listener': 'bearer',
  'POST /listener/{listener}/replies': 'bearer',
  'GET /activity': 'bearer',
  'GET /activity/summary': 'bearer',
  'GET /activity/stream': 'bearer',
  'GET /operations': 'bearer',
  'GET /findings': 'bearer',
  'GET /open-points': 'bearer',
  'GET /open-points/answers': 'bearer',
  'PUT /open-points/answers': 'bearer',
  'GET /checklist': 'bearer',
  'GET /orders': 'bearer',
  'GET /orders/{order_id}': 'bearer',
  'GET /ledger/{uid}': 'bearer',
  'GET /redemptions/{redeemCode}': 'bearer',
  'GET /reconciliation': 'bearer',
  'GET /deliveries': 'bearer',
  'POST /deliveries/replay': 'bearer',
  'POST /deliveries/{id}/replay': 'bearer',
  'GET /webhooks/{webhook_id}/deliveries': 'bearer',
  'GET /clock': 'bearer',
  'POST /clock/advance': 'bearer',
  'POST /settle': 'bearer',
  'GET /workspaces': 'bearer',
  'POST /workspaces': 'bearer',
  'DELETE /workspaces/{id}': 'bearer',
  'PATCH /workspaces/{id}': 'bearer',
  'GET /workspaces/{id}/verdict': 'bearer',
  'GET /snapshots': 'bearer',
  'POST /snapshots': 'bearer',
  'DELETE /snapshots/{id}': 'bearer',
  'POST /snapshots/{id}/restore': 'bearer',
  'POST /snapshots/{id}/fork': 'bearer',
  'GET /certifications': 'bearer',
  'POST /certifications': 'bearer',
  'GET /certifications/{id}': 'bearer',
  'DELETE /certifications/{id}': 'bearer',
  'GET /partners': 'bearer',
  'GET /partners.csv': 'bearer',
  'GET /certificates': 'bearer',
  'POST /certificates': 'bearer',
  'GET /trusted-keys': 'bearer',
  'PUT /trusted-keys': 'bearer',
  'POST /mcp': 'bearer',
};

/** Sandbox control API: The sandbox's own API: inspect the parties, prepare test situations, move the clock. */
export type SandboxClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createSandboxClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): SandboxClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
