import {
  createAuthClient,
  createClientClient,
  createGatewayClient,
  createGeneralClient,
  createRewardsClient,
  createSandboxClient,
  createV2ClientClient,
  createV2PlatformClient,
} from '../../generated/index.ts';
import type { components } from '../../generated/sandbox/types.ts';

/** Where the APIs of a workspace are, and what opens them. */
export type Addressed = Pick<components['schemas']['Workspace'], 'urls' | 'credentials'>;

/** Typed clients of a workspace, each with its credential; the control API's with its admin token, where one is given. */
export type Clients = ReturnType<typeof clientsOf>;

export function clientsOf({ urls, credentials }: Addressed, admin?: string) {
  return {
    urls,
    credentials,
    /** The control API. */
    control: createSandboxClient({ baseUrl: urls.sandbox, ...(admin !== undefined && { token: admin }) }),
    /** The customer authentication API, with the microsite's credentials. */
    auth: createAuthClient({ baseUrl: urls.client, basic: credentials.basic }),
    /** The rewards API with a token, or without one. */
    rewards: (token?: string) => createRewardsClient({ baseUrl: urls.rewards, ...(token !== undefined && { token }) }),
    /** The client-hosted API with a token; left out, the service token. */
    client: (token: string = credentials.service_token) => createClientClient({ baseUrl: urls.client, token }),
    /** The platform's half of the version 2.0 list, with a token or without one. */
    v2Platform: (token?: string) =>
      createV2PlatformClient({ baseUrl: urls.rewards, ...(token !== undefined && { token }) }),
    /** The client's half, with a token; left out, the service token. */
    v2Client: (token: string = credentials.service_token) => createV2ClientClient({ baseUrl: urls.client, token }),
    /** The general API with a token, or without one. */
    general: (token?: string) => createGeneralClient({ baseUrl: urls.general, ...(token !== undefined && { token }) }),
    /** The message gateway with a token; left out, the workspace's. */
    gateway: (token: string = credentials.gateway_token) => createGatewayClient({ baseUrl: urls.gateway, token }),
  };
}

/** What a typed client was answered. Throws where the call was refused, or had no body: with the address, the status and the error. */
export function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data !== undefined) return data;
  throw new Error(`${response.url} returned ${response.status}: ${JSON.stringify(error)}`);
}
