/** Starts the sandbox for every test that needs a complete one. */
import type { Violation } from '../../sandbox/contract/api.ts';
import { type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { type Clients, clientsOf, dataOf as ok } from '../../sandbox/testing/workspace.ts';
import { afterEveryTest } from './lifecycle.ts';

export { type Clients, clientsOf, dataOf as ok } from '../../sandbox/testing/workspace.ts';

const open = new Set<{ close(): Promise<void>; violations: Violation[]; warnings: string[] }>();

/**
 * Starts an in-memory sandbox for one test, on a free port and with a frozen clock. The sandbox closes after the test. The test fails if a
 * reply broke its contract or if the sandbox issued an unexpected warning.
 */
export async function testSandbox(options: SandboxOptions = {}) {
  const violations: Violation[] = [];
  const warnings: string[] = [];
  const sandbox = await startSandbox({
    port: 0,
    clock: 'frozen',
    onViolation: (violation) => violations.push(violation),
    warn: (message) => warnings.push(message),
    ...options,
  });
  // Without a token, the control API accepts only calls from this machine. A configured host or admin token ends this exemption (OP-65).
  const exempt = options.host === undefined && options.adminToken === undefined;
  const clients = clientsOf(sandbox.workspace, exempt ? undefined : sandbox.workspace.admin_token);
  const test = { ...sandbox, ...clients, violations, warnings };
  open.add(test);
  return test;
}

export type TestSandbox = Awaited<ReturnType<typeof testSandbox>>;

afterEveryTest(async () => {
  const ended = [...open];
  open.clear();
  await Promise.all(ended.map((sandbox) => sandbox.close()));
  for (const { violations, warnings } of ended) {
    if (violations.length > 0) throw new Error(`replies broke their contract: ${JSON.stringify(violations)}`);
    if (warnings.length > 0) throw new Error(`the sandbox warned: ${warnings.join('; ')}`);
  }
});

/** Completes a customer's sign-in: OTP, JWT, company token and customer session. */
export async function signIn({ auth, control, rewards, credentials }: Clients, uid: string) {
  const generated = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
  const { items } = ok(await control.GET('/messages', { params: { query: { uid } } }));
  const otp = items[0]?.otp ?? '';
  const { reference_id } = generated;
  const verified = ok(await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: uid, otp, reference_id } }));
  const company = ok(await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } }));
  const session = ok(await rewards(company.token).POST('/v1/customer/auth', { body: { uid, token: verified.token } }));
  return { jwt: verified.token, companyToken: company.token, customerToken: session.token };
}

/** Logs a user in to the general API. Returns the access token. */
export async function logIn({ general, credentials }: Clients, username: string): Promise<string> {
  const body = { username, password: credentials.general.password };
  return ok(await general().POST('/v1/auth/login', { body })).access_token;
}

/** Sends any request, including those that typed clients cannot send. Returns status, body and headers. CSV bodies remain text. */
export async function raw(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const text = await response.text();
  const isCsv = response.headers.get('content-type')?.startsWith('text/csv') === true;
  const body: unknown = text === '' ? undefined : isCsv ? text : JSON.parse(text);
  return { status: response.status, body, headers: response.headers };
}
