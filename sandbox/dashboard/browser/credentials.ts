/** Obtains credentials for operations from the parties, as any caller must. */
import { api, ask, CallFailure, messageOf, type Schemas } from './api.ts';
import { authorizationBy } from './authorization.ts';

export type Workspace = Schemas['Workspace'];

export { none, ofCustomer } from './authorization.ts';

/** Returns the credentials of a workspace, each with its name. */
export function named({
  company_secret,
  basic,
  service_token,
  general,
  gateway_token,
}: Workspace['credentials']): readonly (readonly [string, string])[] {
  return [
    ['Company secret', company_secret],
    ['Microsite user', basic.username],
    ['Microsite password', basic.password],
    ['Service token', service_token],
    ['General API password', general.password],
    ['Gateway token', gateway_token],
  ];
}

/**
 * Returns the value of the Authorization header for a security scheme of the contracts; `undefined` for none. Signs in
 * if needed, as customer `uid` for customer schemes.
 */
export function authorization(scheme: string, workspace: Workspace, uid: string): Promise<string | undefined> {
  return authorizationBy({ post, readOtp }, scheme, workspace.credentials, uid);
}

async function readOtp(reference_id: string) {
  const { items } = await ask(api.GET('/messages', { params: { query: { reference_id } } }));
  return items[0]?.otp;
}

async function post(path: string, body: unknown, credential?: string): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (credential !== undefined) headers.Authorization = credential;
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const reply = await response.json();
  if (response.ok) return reply;
  const trace = response.headers.get('x-trace-id') ?? undefined;
  throw new CallFailure(`Could not sign in at ${path}: ${messageOf(reply) ?? response.status}`, response.status, trace);
}

/** Returns a body from the activity log with the workspace's own secrets restored. Other masked values remain masked. */
export function unmasked(body: unknown, workspace: Workspace): unknown {
  if (body === null || typeof body !== 'object') return body;
  const { company_secret, general } = workspace.credentials;
  const own = { secret: company_secret, password: general.password } as Record<string, string>;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      /^string of \d+ \(masked/.test(String(value)) ? (own[name] ?? value) : value,
    ]),
  );
}

/** Returns whether a string from the activity log contains a masked field or a masked part of an address. */
export function hasMask(text: string) {
  return text.includes('***') || text.includes(' (masked');
}
