/** Tests the token requirements. A correct server meets them, and each mistake fails the matching ones. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectedFailures } from './caught.ts';
import { certifyServer, failedIds, partner } from './judged.ts';

const group = 'tokens';

it('a server with version 2.0 only fails the same requirements, and its ledger is even', async () => {
  const server = await partner({ mistake: 'any-token' });
  const report = await certifyServer(server, { only: [group], api: 'v2' });
  expect(failedIds(report)).toEqual(expectedFailures['any-token'].filter((id) => id > 'TOK-20'));
  expect(report.balances).toBe('restored');
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
