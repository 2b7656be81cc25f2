/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'POST /v1/company/auth': 'none',
  'POST /v1/customer/auth': 'bare',
  'GET /v1/partner/rewards': 'bare',
  'POST /v1/partner/redeemptiononskus': 'bare',
  'GET /getwalletdetail': 'bearer',
  'POST /v1/partner/events/payment': 'bare',
  'GET /v1/partner/webhooks': 'bare',
  'POST /v1/partner/webhooks': 'bare',
  'DELETE /v1/partner/webhooks': 'bare',
};

/** Rewards platform API: The API that the platform hosts for the client: sign-in, catalogue, orders, wallet and payment events. */
export type RewardsClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createRewardsClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): RewardsClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
