/** Tests the sandbox that runs a certification's journeys. */
import { expect, it } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../generated/index.ts';
import { journeyPlatform } from '../sandbox/sandbox.ts';
import { closesWithTest, httpServer } from './harness/http-server.ts';
import { ok } from './harness/sandbox.ts';

async function started(
  clientUrl: string,
  { timeoutMs = 1000, ...parts }: Parameters<typeof journeyPlatform>[0] & { readonly timeoutMs?: number } = {},
) {
  const platform = await journeyPlatform(parts)({ clientUrl, projectCode: 'ACME07', timeoutMs });
  closesWithTest(() => platform.close());
  const { origin, adminToken: token } = platform;
  return { ...platform, control: createSandboxClient({ baseUrl: `${origin}/sandbox/v1`, token }) };
}

it('listens on loopback, with a frozen clock, for the project of the server', async () => {
  const { origin, control } = await started('http://127.0.0.1:9');
  expect(new URL(origin).hostname).toBe('127.0.0.1');
  expect(ok(await control.GET('/clock')).mode).toBe('frozen');
  expect(ok(await control.GET('/workspace')).project_code).toBe('ACME07');
});

it('may call the address of the server, and no other on this network', async () => {
  const resolve = async () => [{ address: '10.1.2.3', family: 4 }];
  const { control } = await started('https://server.example/api', { resolve });
  const own = { settings: { client_url: 'https://10.1.2.3/api' } };
  const other = { settings: { client_url: 'https://10.1.2.4/api' } };
  expect((await control.PATCH('/workspace', { body: own })).response.status).toBe(200);
  expect((await control.PATCH('/workspace', { body: other })).response.status).toBe(400);
});

/** Sends a payment event to a platform whose client never replies. */
async function paid({ origin, control }: Awaited<ReturnType<typeof started>>, client_url: string): Promise<number> {
  const { credentials } = ok(await control.PATCH('/workspace', { body: { settings: { client_url } } }));
  const api = { baseUrl: `${origin}/rewards` };
  const { token } = ok(
    await createRewardsClient(api).POST('/v1/company/auth', { body: { secret: credentials.company_secret } }),
  );
  const body = { uid: 'ANN', eventType: 'DIGITAL_PAYMENT', transactionId: 'TXN-1', paymentAmount: '900' } as const;
  const { response } = await createRewardsClient({ ...api, token }).POST('/v1/partner/events/payment', { body });
  return response.status;
}

it('waits for the server no longer than the timeout', async () => {
  const { origin } = await httpServer(() => {});
  expect(await paid(await started(origin, { timeoutMs: 300 }), origin)).toBe(202);
});

it('ends soon while a call to the server hangs', async () => {
  const received = Promise.withResolvers<void>();
  const { origin } = await httpServer(() => received.resolve());
  const platform = await started(origin, { timeoutMs: 3_600_000 });
  const status = paid(platform, origin);
  await received.promise;
  await platform.close();
  // The aborted call counts as no reply, and the caller received the payment's status.
  expect(await status).toBe(202);
});
