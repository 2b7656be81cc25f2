/** The requirements about tokens: a right server holds them, and each mistake fails those that are about it. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { caught, caughtIn } from './caught/caught.ts';
import { ended, failed, idsOf, judged, partner, verdicts } from './judged.ts';
import { startedReference } from './reference.ts';

const group = 'tokens';

it('the reference client holds every requirement about tokens', async () => {
  const report = await (await startedReference())({ only: [group] });
  expect(verdicts(report, group)).toEqual(Object.fromEntries(idsOf(group).map((id) => [id, 'pass'])));
  expect(report.books).toBe('even');
});

it('a right server holds every requirement about tokens, in any order', async () => {
  const server = await partner();
  for (const seed of ['1', '2', '3']) {
    const report = await judged(server, { only: [group], seed, expired_token: ended(server) });
    expect(verdicts(report, group)).toEqual(Object.fromEntries(idsOf(group).map((id) => [id, 'pass'])));
    expect(report.books).toBe('even');
  }
});

it.each(caughtIn('TOK'))('a server with the mistake %s fails %j and no others about tokens', async (mistake, ids) => {
  const server = await partner({ mistake });
  const report = await judged(server, { only: [group], expired_token: ended(server) });
  expect(failed(report)).toEqual(ids);
  expect(report.counts.suite_error).toBe(0);
});

it('a server of version 2.0 alone fails the same requirements, and its books are even', async () => {
  const server = await partner({ mistake: 'any-token' });
  const report = await judged(server, { only: [group], api: 'v2', expired_token: ended(server) });
  expect(failed(report)).toEqual(caught['any-token'].filter((id) => id > 'TOK-20'));
  expect(report.books).toBe('even');
});

it('what needs an expired token is not selected where there is no such token, and none expires soon', async () => {
  const ends = ['TOK-07', 'TOK-14', 'TOK-28'];
  const server = await partner();
  for (const slow of [false, true]) {
    const report = await judged(server, { only: ends, slow, expired_token: undefined });
    expect(verdicts(report, group)).toMatchObject(Object.fromEntries(ends.map((id) => [id, 'not_selected'])));
  }
});

it.each([
  ['a right server', undefined, []],
  ['one that does not look at the end', 'expired-token', ['TOK-07', 'TOK-14', 'TOK-28']],
] as const)('a run waits for the end of a token: %s', async (_, mistake, ids) => {
  let at = Date.UTC(2026, 0, 12);
  const server = await partner({ mistake, now: () => at, tokenSeconds: 30 });
  const delay = async (milliseconds: number) => {
    at += milliseconds;
  };
  const report = await judged(server, { only: [group], expired_token: undefined }, { delay });
  expect(failed(report)).toEqual(ids);
  expect(report.counts.pass).toBe(idsOf(group).length - ids.length);
});

it('no report has what a token could be put together from', async () => {
  const server = await partner({ mistake: 'altered-payload' });
  const text = JSON.stringify(await judged(server, { only: [group] }));
  const shown = [...text.matchAll(/(eyJ[\w-]+)\.(eyJ[\w-]+)\./g)];
  expect(shown.length).toBeGreaterThan(0);
  for (const [, head = '', payload = ''] of shown) {
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
