/** Collects the credentials of all callers of a sandbox, formatted for Schemathesis settings. */
import { createGeneralClient, createRewardsClient } from '../../generated/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { controlOf, customerId, dataOf, jwtOf } from './running.ts';

/** Signs in as every kind of caller. Returns a function that maps a security scheme to its credential, as a TOML value. */
export async function credentialsOf(sandbox: Sandbox): Promise<(scheme: string) => string> {
  const { urls, credentials, admin_token } = sandbox.workspace;
  // Earlier requests may have locked customers, used up the quota or set faults.
  const control = controlOf(sandbox);
  dataOf(await control.POST('/reset', {}));
  dataOf(await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } }));
  const company = await sandbox.companyToken();
  const jwt = await jwtOf(sandbox);
  const rewards = createRewardsClient({ baseUrl: urls.rewards, token: company });
  const customer = dataOf(await rewards.POST('/v1/customer/auth', { body: { uid: customerId, token: jwt } })).token;
  const { username, password } = credentials.basic;
  const general = createGeneralClient({ baseUrl: urls.general });
  const login = { username: customerId, password: credentials.general.password };
  const access = dataOf(await general.POST('/v1/auth/login', { body: login })).access_token;
  const credentialsByScheme: Readonly<Record<string, object>> = {
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
    const credential = credentialsByScheme[scheme];
    if (credential === undefined)
      throw new Error(`no credential for the security scheme ${scheme}. Add it to credentials.ts`);
    return `{ ${Object.entries(credential)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
      .join(', ')} }`;
  };
}

/** Returns the session for an API's page URLs, or `undefined` if the API has no sessions. */
export async function sessionOf(sandbox: Sandbox, api: string): Promise<string | undefined> {
  if (api === 'portal') return portalSession(sandbox);
  return api === 'microsite' ? micrositeSession(sandbox) : undefined;
}

async function portalSession(sandbox: Sandbox): Promise<string> {
  const entry = new URLSearchParams({ token: await jwtOf(sandbox), uid: customerId });
  return sessionIn(await fetch(`${sandbox.workspace.urls.portal}/signin?${entry}`, { redirect: 'manual' }));
}

/** Signs in on the microsite with the code from the message. Returns the session. */
async function micrositeSession(sandbox: Sandbox): Promise<string> {
  const { microsite } = sandbox.workspace.urls;
  const session = sessionIn(await postForm(`${microsite}/codes`, { customer_id: customerId }));
  const { items } = dataOf(await controlOf(sandbox).GET('/messages', { params: { query: { uid: customerId } } }));
  return sessionIn(await postForm(`${microsite}/s/${session}/code`, { otp: items[0]?.otp ?? '' }));
}

function postForm(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** Returns the session in a redirect's target. */
function sessionIn({ url, status, headers }: Response): string {
  const [, session] = /\/s\/([^/]+)\//.exec(headers.get('location') ?? '') ?? [];
  if (session === undefined) throw new Error(`${url} answered ${status} and redirects to no session`);
  return session;
}
