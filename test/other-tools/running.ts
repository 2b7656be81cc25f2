/** Starts a sandbox for a tool to call, and creates its clients. */
import { createAuthClient, createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { Fault } from './tool.ts';

/** The customer who signs in and has points. */
export const customerId = 'CUST0001';

/**
 * Starts an in-memory sandbox on a free port, passes it to `use`, and stops it. Throws `Fault` if one of its replies
 * violated the contract.
 */
export async function withSandbox<T>(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const violations: unknown[] = [];
  const sandbox = await startSandbox({ port: 0, onViolation: (violation) => violations.push(violation), ...options });
  try {
    const result = await use(sandbox);
    if (violations.length > 0) throw new Fault(`replies broke their contract: ${JSON.stringify(violations)}`);
    return result;
  } finally {
    await sandbox.close();
  }
}

/** Returns a typed client for the control API. */
export function controlOf({ workspace: { urls, admin_token } }: Sandbox) {
  return createSandboxClient({ baseUrl: urls.sandbox, token: admin_token });
}

/** Returns a typed client for the rewards API, with the company's token. */
export async function rewardsOf(sandbox: Sandbox) {
  return createRewardsClient({ baseUrl: sandbox.workspace.urls.rewards, token: await sandbox.companyToken() });
}

/** Returns the data of a reply. Throws `Fault` if the call was refused. */
export function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Fault(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

/** Returns a fresh JWT of the customer. Requests a one-time password, reads it from the outbox and signs in. */
export async function jwtOf(sandbox: Sandbox): Promise<string> {
  const { urls, credentials } = sandbox.workspace;
  const auth = createAuthClient({ baseUrl: urls.client, basic: credentials.basic });
  const { reference_id } = dataOf(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: customerId } }));
  const { items } = dataOf(await controlOf(sandbox).GET('/messages', { params: { query: { uid: customerId } } }));
  const otp = items[0]?.otp ?? '';
  return dataOf(await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: customerId, otp, reference_id } }))
    .token;
}
