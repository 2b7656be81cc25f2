import { expect, it } from 'vitest';
import { readContract } from '../../sandbox/contract/document.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

it('lists every operation of platform and client once, with its path and its security schemes (OP-69)', async () => {
  const { control, urls } = await testSandbox();
  const { items } = ok(await control.GET('/operations'));
  const documented = (['rewards', 'client', 'auth', 'v2-platform', 'v2-client', 'general'] as const).flatMap((api) =>
    readContract(api).operations.map(({ operationId }) => operationId),
  );
  expect(items.map(({ operation }) => operation).sort()).toEqual([...new Set(documented)].sort());
  const orderTokens = ['customerToken', 'companyToken', 'customerJwt'];
  const row = (operation: string, api: string, hosted_by: string, path: string, security: readonly string[]) => ({
    operation,
    api,
    hosted_by,
    method: 'POST',
    path,
    security,
  });
  expect(items.filter(({ operation }) => ['verifyOtp', 'companyAuth', 'createOrder'].includes(operation))).toEqual([
    row('verifyOtp', 'auth', 'client', '/client/api/v1/auth/verify-otp', ['basic']),
    row('companyAuth', 'rewards', 'platform', '/rewards/v1/company/auth', []),
    row('createOrder', 'v2-platform', 'platform', '/rewards/api/v1/orders', orderTokens),
  ]);
  const origin = new URL(urls.sandbox).origin;
  const statuses = await Promise.all(
    items.map(
      async ({ method, path }) => (await fetch(`${origin}${path.replaceAll(/\{\w+\}/g, 'x')}`, { method })).status,
    ),
  );
  expect(statuses.filter((status) => status === 404 || status === 405)).toEqual([]);
});
