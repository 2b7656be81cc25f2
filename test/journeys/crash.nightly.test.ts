/** Tests `kill -9` in the middle of a burst. Acknowledged calls must be durable, no change may be partial, and due jobs must resume. */
import { describe, expect, it } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { ready } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { journeyProxy } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';

/** Calls through a proxy need an admin token (OP-65). */
const token = 'at_sandbox_of_the_journey';
const customers = Array.from({ length: 5 }, (_, index) => `BURST-${index}`);

async function signedIn(urls: { rewards: string; sandbox: string }) {
  const control = createSandboxClient({ baseUrl: urls.sandbox, token });
  const { credentials } = ok(await control.GET('/workspace'));
  const auth = await createRewardsClient({ baseUrl: urls.rewards }).POST('/v1/company/auth', {
    body: { secret: credentials.company_secret },
  });
  return { control, rewards: createRewardsClient({ baseUrl: urls.rewards, token: ok(auth).token }) };
}

type Session = Awaited<ReturnType<typeof signedIn>>;

interface Acknowledged {
  readonly orders: { uid: string; codes: string[] }[];
  readonly payments: { uid: string; transactionId: string; points: number }[];
}

/** Sends orders and payments until the process dies. Calls `on` after each pair. Returns the acknowledged ones. */
async function burst({ rewards }: Session, on: (count: number) => void): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { orders: [], payments: [] };
  const lane = async (lane: number) => {
    for (let turn = 0; ; turn += 1) {
      const uid = customers[(lane + turn) % customers.length] ?? '';
      const transactionId = `T-${lane}-${turn}`;
      const order = await rewards.POST('/v1/partner/redeemptiononskus', {
        body: {
          uid,
          line_items: [
            { sku: 'EGV-SPICE-100', quantity: 1 },
            { sku: 'EGV-CHAI-100', quantity: 1 },
          ],
        },
      });
      acknowledged.orders.push({ uid, codes: ok(order).lines.map(({ redeemCode }) => redeemCode) });
      const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '500' } as const;
      const { points } = ok(await rewards.POST('/v1/partner/events/payment', { body: event }));
      acknowledged.payments.push({ uid, transactionId, points });
      on(acknowledged.orders.length);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => lane(index)));
  for (const ended of lanes) {
    // Every lane must end with a broken connection on the proxy's or the caller's side, never with a refused call.
    const broken = /fetch failed|terminated|other side closed|"title":"No response from the upstream server"/;
    if (ended.status === 'rejected') expect(String(ended.reason)).toMatch(broken);
  }
  return acknowledged;
}

describe('OP-50: kill -9 in the middle of a burst of orders', () => {
  it.each([3, 17, 40])(
    'after %i acknowledged orders: all of them are placed, none is half done, due work resumes',
    { timeout: 90_000 },
    async (killAfter) => {
      const data = await temporaryFolder();
      const proxy = await journeyProxy();
      const urls = { rewards: `${proxy.url}/rewards`, sandbox: `${proxy.url}/sandbox/v1` };
      const start = async () => {
        const flags = ['--clock', 'frozen', '--client-url', `${proxy.url}/client`, '--admin-token', token];
        const started = await ready(['--data', data, ...flags]);
        proxy.leadTo(new URL(started.urls.sandbox).origin);
        return started;
      };
      const first = await start();
      const session = await signedIn(urls);
      ok(await session.control.PATCH('/workspace', { body: { settings: { rate_limit: 100_000 } } }));
      for (const uid of customers)
        ok(await session.control.POST('/customers', { body: { uid, points: { balance: 1_000_000 } } }));
      for (const sku_code of ['EGV-SPICE-100', 'EGV-CHAI-100']) {
        ok(
          await session.control.PATCH('/catalogue/{sku_code}', {
            params: { path: { sku_code } },
            body: { stock: 100_000 },
          }),
        );
      }

      const acknowledged = await burst(session, (count) => {
        if (count >= killAfter) first.child.kill('SIGKILL');
      });
      expect((await first.ended).signal).toBe('SIGKILL');
      expect(acknowledged.orders.length).toBeGreaterThanOrEqual(killAfter);

      const second = await start();
      const { control, rewards } = await signedIn(urls);
      const ledgerOf = async (uid: string) => ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));

      // Before any due job has run, the ledger contains every acknowledged deduction.
      for (const { uid, codes } of acknowledged.orders) {
        const { items } = await ledgerOf(uid);
        for (const code of codes)
          expect(items.filter(({ reference }) => reference === code)).toMatchObject([{ kind: 'deduct', points: 100 }]);
      }

      // Due jobs resume: vendor requests, reports, credits and the compensation of interrupted calls.
      expect(ok(await control.POST('/clock/advance', { body: { seconds: 600 } })).ran).toBeGreaterThan(
        acknowledged.orders.length,
      );
      for (const uid of customers) {
        const { items, balance } = await ledgerOf(uid);
        const wallet = ok(await rewards.GET('/getwalletdetail', { params: { query: { uid } } })).data;
        const sum = (kind: string) =>
          items.filter((entry) => entry.kind === kind).reduce((total, { points }) => total + points, 0);
        expect(balance).toBe(sum('credit') - sum('deduct') + sum('reverse'));

        // Each redemption was deducted once. It is now either delivered, with its voucher, or reversed once.
        const deducted = items.filter(({ kind }) => kind === 'deduct').map(({ reference }) => reference);
        const reversed = items.filter(({ kind }) => kind === 'reverse').map(({ reference }) => reference);
        const delivered = wallet.map(({ redemptionCode }) => redemptionCode);
        expect(new Set(deducted).size).toBe(deducted.length);
        expect([...delivered, ...reversed].sort()).toEqual([...deducted].sort());
        expect(items.map(({ label }) => label)).not.toContain('Pending');

        // Every acknowledged order is delivered and not compensated. Every payment is credited once.
        const mine = acknowledged.orders.filter((order) => order.uid === uid).flatMap(({ codes }) => codes);
        expect(mine.filter((code) => !delivered.includes(code))).toEqual([]);
        for (const payment of acknowledged.payments.filter((event) => event.uid === uid)) {
          expect(items.filter(({ reference }) => reference === payment.transactionId)).toMatchObject([
            { kind: 'credit', points: payment.points },
          ]);
        }
      }
      proxy.read(ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } })).items);
      second.child.kill('SIGTERM');
      expect((await second.ended).code).toBe(0);
    },
  );
});
