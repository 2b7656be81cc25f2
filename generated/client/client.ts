/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'POST /getProfileAndPoints': 'bearer',
  'POST /creditPoints': 'bearer',
  'POST /saveRedeemDetails': 'bearer',
  'POST /updateRedeemStatus': 'bearer',
};

/** Client-hosted API: The API that the client hosts for the platform: profile and points, credits, deductions and status updates. */
export type ClientClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createClientClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): ClientClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
