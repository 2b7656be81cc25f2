/* Written by `npm run generate` from openapi/. Do not edit. */
import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
  'GET /': 'none',
  'POST /codes': 'none',
  'GET /s/{session}/code': 'none',
  'POST /s/{session}/code': 'none',
  'POST /s/{session}/resend': 'none',
  'GET /s/{session}/home': 'none',
  'POST /s/{session}/rewards': 'none',
  'POST /s/{session}/end': 'none',
};

/** Microsite: The client's own pages, to sign in with a one-time password, see the points and open the rewards. */
export type MicrositeClient = Client<paths>;

/** Makes a typed client. `baseUrl` is the address that the contract's paths are appended to. */
export function createMicrositeClient(options: ClientOptions & Credentials & { readonly baseUrl: string }): MicrositeClient {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
