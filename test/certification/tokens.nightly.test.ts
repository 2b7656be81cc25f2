/** Tests the token requirements. A correct server meets them, and each mistake fails the matching ones. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectedFailures } from './caught/caught.ts';
import { certifyServer, expiredTokenOf, failedIds, idsOf, partner, verdicts } from './judged.ts';

const group = 'tokens';

it('a server with version 2.0 only fails the same requirements, and its ledger is even', async () => {
  const server = await partner({ mistake: 'any-token' });
  const report = await certifyServer(server, { only: [group], api: 'v2', expired_token: expiredTokenOf(server) });
  expect(failedIds(report)).toEqual(expectedFailures['any-token'].filter((id) => id > 'TOK-20'));
  expect(report.balances).toBe('restored');
});

it('requirements that need an expired token are not selected without one, unless a token expires soon', async () => {
  const ends = ['TOK-07', 'TOK-14', 'TOK-28'];
  const server = await partner();
  for (const slow of [false, true]) {
    const report = await certifyServer(server, { only: ends, slow, expired_token: undefined });
    expect(verdicts(report, group)).toMatchObject(Object.fromEntries(ends.map((id) => [id, 'not_selected'])));
  }
});

it.each([
  ['a correct server', undefined, []],
  ['a server that ignores the expiry', 'expired-token', ['TOK-07', 'TOK-14', 'TOK-28']],
] as const)('a run waits for the expiry of a token: %s', async (_, mistake, ids) => {
  let at = Date.UTC(2026, 0, 12);
  const server = await partner({ mistake, now: () => at, tokenSeconds: 30 });
  const delay = async (milliseconds: number) => {
    at += milliseconds;
  };
  const report = await certifyServer(server, { only: [group], expired_token: undefined }, { delay });
  expect(failedIds(report)).toEqual(ids);
  expect(report.counts.pass).toBe(idsOf(group).length - ids.length);
});

it('no report contains the parts of a usable token', async () => {
  const server = await partner({ mistake: 'altered-payload' });
  const text = JSON.stringify(await certifyServer(server, { only: [group] }));
  const tokens = [...text.matchAll(/(eyJ[\w-]+)\.(eyJ[\w-]+)\./g)];
  expect(tokens.length).toBeGreaterThan(0);
  for (const [, head = '', payload = ''] of tokens) {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const before = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp - 60 })).toString('base64url');
    for (const signed of [`${head}.${payload}`, `${head}.${before}`]) {
      const right = createHmac('sha256', `${server.settings.serviceToken} signs`).update(signed).digest('base64url');
      expect(text).not.toContain(right);
    }
  }
  expect(text).toContain('$CUSTOMER_SIGNATURE');
  expect(text).not.toContain(server.settings.serviceToken);
});
