/** Tests command-line options for proxies in front of the sandbox (OP-87). */
import { expect, it } from 'vitest';
import { readyInProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const json = { 'content-type': 'application/json' };

/** Returns the status of a call through these hops if the allowlist contains only 203.0.113.7. */
async function statusVia(urls: Record<'rewards' | 'sandbox', string>, hops: string): Promise<number> {
  const body = JSON.stringify({ settings: { allowlist: ['203.0.113.7/32'] } });
  expect((await fetch(`${urls.sandbox}/workspace`, { method: 'PATCH', headers: json, body })).status).toBe(200);
  return (await fetch(`${urls.rewards}/v1/partner/rewards`, { headers: { 'x-forwarded-for': hops } })).status;
}

it('--trusted-proxy can be repeated, and the environment variable has several with commas', async () => {
  const flags = ['--trusted-proxy', '127.0.0.0/8', '--trusted-proxy', '10.0.0.0/8'];
  const flagged = await readyInProcess(['--data', await temporaryFolder(), ...flags]);
  expect(await statusVia(flagged.urls, '203.0.113.7, 10.0.0.2')).toBe(401);
  expect(await statusVia(flagged.urls, '203.0.113.7, 192.0.2.1')).toBe(403);
  const REWARDS_SANDBOX_TRUSTED_PROXY = '127.0.0.0/8, 10.0.0.0/8';
  const fromEnvironment = await readyInProcess(['--data', await temporaryFolder()], { REWARDS_SANDBOX_TRUSTED_PROXY });
  expect(await statusVia(fromEnvironment.urls, '203.0.113.7, 10.0.0.2')).toBe(401);
  const plain = await readyInProcess(['--data', await temporaryFolder()]);
  expect(await statusVia(plain.urls, '203.0.113.7')).toBe(403);
});
