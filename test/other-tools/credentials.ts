/** What callers of a sandbox show, in the form in which Schemathesis is told of it. */
import { createGeneralClient, createRewardsClient } from '../../generated/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { controlOf, jwtOf, someone, taken } from './running.ts';

/** Signs in as everybody who can call. Answers what a security scheme takes, as a value of TOML. */
export async function credentialsOf(sandbox: Sandbox): Promise<(scheme: string) => string> {
  const { urls, credentials, admin_token } = sandbox.workspace;
  // Customers may have been locked, the quota used up, and faults set, by requests before.
  const control = controlOf(sandbox);
  taken(await control.POST('/reset', {}));
  taken(await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } }));
  const company = await sandbox.companyToken();
  const jwt = await jwtOf(sandbox);
  const rewards = createRewardsClient({ baseUrl: urls.rewards, token: company });
  const customer = taken(await rewards.POST('/v1/customer/auth', { body: { uid: someone, token: jwt } })).token;
  const { username, password } = credentials.basic;
  const general = createGeneralClient({ baseUrl: urls.general });
  const login = { username: someone, password: credentials.general.password };
  const access = taken(await general.POST('/v1/auth/login', { body: login })).access_token;
  const held: Readonly<Record<string, object>> = {
    basic: { username, password },
    serviceToken: { bearer: credentials.service_token },
    gatewayToken: { bearer: credentials.gateway_token },
    customerJwt: { bearer: jwt },
    companyToken: { api_key: company },
    customerToken: { api_key: customer },
    companyBearer: { bearer: company },
    customerBearer: { bearer: customer },
    accessToken: { bearer: access },
    adminToken: { bearer: admin_token },
  };
  return (scheme) => {
    const shown = held[scheme];
    if (shown === undefined) throw new Error(`who calls under the security scheme ${scheme}? Add it to credentials.ts`);
    return `{ ${Object.entries(shown)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
      .join(', ')} }`;
  };
}

/** The session in the addresses of a page; undefined for an API that has none. */
export async function sessionOf(sandbox: Sandbox, api: string): Promise<string | undefined> {
  if (api === 'portal') return portalSession(sandbox);
  return api === 'microsite' ? micrositeSession(sandbox) : undefined;
}

async function portalSession(sandbox: Sandbox): Promise<string> {
  const entry = new URLSearchParams({ token: await jwtOf(sandbox), uid: someone });
  return inAddress(await fetch(`${sandbox.workspace.urls.portal}/signin?${entry}`, { redirect: 'manual' }));
}

/** A visit that the code of the message let in. */
async function micrositeSession(sandbox: Sandbox): Promise<string> {
  const { microsite } = sandbox.workspace.urls;
  const session = inAddress(await sent(`${microsite}/codes`, { customer_id: someone }));
  const { items } = taken(await controlOf(sandbox).GET('/messages', { params: { query: { uid: someone } } }));
  return inAddress(await sent(`${microsite}/s/${session}/code`, { otp: items[0]?.otp ?? '' }));
}

function sent(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** The session that a redirect leads to. */
function inAddress({ url, status, headers }: Response): string {
  const [, session] = /\/s\/([^/]+)\//.exec(headers.get('location') ?? '') ?? [];
  if (session === undefined) throw new Error(`${url} answered ${status} and leads to no session`);
  return session;
}
