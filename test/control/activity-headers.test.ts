/** Tests that entries for incoming and outgoing calls contain headers without credentials (OP-73). */
import { expect, it } from 'vitest';
import { redeem, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

it('OP-73: every call has its request and response headers, and no credential in plain text', async () => {
  const sandbox = await testSandbox();
  const { control, credentials } = sandbox;
  const token = await sandbox.companyToken();
  await redeem(sandbox, { line_items: [voucher], uid: 'CUST0007' });
  const cookie = 'sid=cookie-canary';
  await sandbox.rewards(token).GET('/v1/partner/rewards', {
    headers: { Cookie: cookie, 'X-Api-Key': 'key-canary', 'X-Plain': 'plain' },
    params: { query: { limit: 1 } },
  });
  const { items } = ok(await control.GET('/activity'));
  const calls = items.flatMap((entry) => (entry.kind === 'state' ? [] : [entry]));
  expect(calls.length).toBeGreaterThan(5);
  expect(new Set(calls.map(({ kind }) => kind))).toEqual(new Set(['call_in', 'call_out']));
  for (const { request_headers, reply_headers } of calls) {
    expect(Object.keys(request_headers ?? {}).length).toBeGreaterThan(0);
    expect(reply_headers?.['x-trace-id']).toMatch(/^[0-9a-f]{32}$/);
  }
  expect(calls.at(-1)?.request_headers).toMatchObject({
    authorization: `string of ${token.length} (masked)`,
    cookie: `string of ${cookie.length} (masked)`,
    'x-api-key': 'string of 10 (masked)',
    'x-plain': 'plain',
  });
  const { settings } = ok(await control.GET('/workspace'));
  const log = JSON.stringify(items);
  const basic = Buffer.from(`${credentials.basic.username}:${credentials.basic.password}`).toString('base64');
  for (const secret of [token, basic, settings.client_token, credentials.company_secret, 'canary']) {
    expect(log).not.toContain(secret);
  }
});
