/** Tests that the allowlist applies to the original caller behind a trusted proxy (OP-31, OP-87). */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { flat } from '../harness/envelopes.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const blocked = flat(403, 43, 'Server not allowed');

/** Starts a sandbox that allows only 203.0.113.0/24, behind trusted proxies in these ranges. */
async function behind(trustedProxies: readonly string[]): Promise<TestSandbox> {
  const sandbox = await testSandbox({ trustedProxies });
  const settings = { allowlist: ['203.0.113.0/24'] };
  ok(await sandbox.control.PATCH('/workspace', { body: { settings } }));
  return sandbox;
}

/** Lists the catalogue with exactly these header lines. Returns the status and, for a refusal, the body. */
async function list(sandbox: TestSandbox, lines: readonly (readonly [string, string])[]) {
  const headers = [
    'Authorization',
    await sandbox.companyToken(),
    'Host',
    new URL(sandbox.origin).host,
    ...lines.flat(),
  ];
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>();
  const sent = request(`${sandbox.urls.rewards}/v1/partner/rewards?limit=1`, { headers }, async (response) => {
    response.setEncoding('utf8');
    let text = '';
    for await (const chunk of response) text += chunk;
    resolve({ status: response.statusCode, text });
  });
  sent.once('error', reject).end();
  const { status, text } = await promise;
  return status === 200 ? 200 : { status, body: JSON.parse(text) };
}

const via = (...values: string[]) => values.map((value) => ['X-Forwarded-For', value] as const);

it("OP-87: behind a trusted proxy, the allowlist applies to the proxy's caller", async () => {
  const sandbox = await behind(['127.0.0.0/8', '10.0.0.0/8']);
  expect(await list(sandbox, via('203.0.113.7'))).toBe(200);
  expect(await list(sandbox, via('203.0.113.7, 10.0.0.2'))).toBe(200);
  expect(await list(sandbox, via('198.51.100.1'))).toEqual(blocked);
  expect(await list(sandbox, [])).toEqual(blocked);
});

it('OP-87: an invalid range is refused at startup', async () => {
  await expect(testSandbox({ trustedProxies: ['10.0.0.0/8', '10.0.0.1'] })).rejects.toThrow(
    '10.0.0.1 is not an address range such as 10.0.0.0/8.',
  );
});

it("OP-87: forged entries before the caller's own address are ignored, and so are other headers", async () => {
  const sandbox = await behind(['127.0.0.0/8']);
  expect(await list(sandbox, via('203.0.113.7, 198.51.100.1'))).toEqual(blocked);
  expect(await list(sandbox, via('203.0.113.7, 127.0.0.1, 198.51.100.1'))).toEqual(blocked);
  expect(await list(sandbox, via('203.0.113.7, nonsense'))).toEqual(blocked);
  const others = [
    ['Forwarded', 'for=203.0.113.7'],
    ['X-Real-IP', '203.0.113.7'],
  ] as const;
  expect(await list(sandbox, others)).toEqual(blocked);
});

it('OP-87: several header lines are read in order as one', async () => {
  const sandbox = await behind(['127.0.0.0/8', '10.0.0.0/8']);
  expect(await list(sandbox, via('198.51.100.1', '203.0.113.7', '10.0.0.2'))).toBe(200);
  expect(await list(sandbox, via('203.0.113.7', '198.51.100.1'))).toEqual(blocked);
});

it('OP-87: the header of an untrusted peer is ignored', async () => {
  expect(await list(await behind(['10.0.0.0/8']), via('203.0.113.7'))).toEqual(blocked);
  expect(await list(await behind([]), via('203.0.113.7'))).toEqual(blocked);
});
