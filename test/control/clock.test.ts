/** Tests sandbox time and the jobs that depend on it, over the control API. */
import { expect, it } from 'vitest';
import { order, vendorWill } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

const start = '2026-01-12T04:30:00.000Z';

it('a running clock follows the time of the machine, and an advance moves it ahead', async () => {
  const real = Date.UTC(2026, 5, 1);
  const { control } = await testSandbox({ clock: 'running', realTime: () => real });
  expect(ok(await control.GET('/clock'))).toEqual({ now: '2026-06-01T00:00:00.000Z', mode: 'running' });
  const result = ok(await control.POST('/clock/advance', { body: { seconds: 90 } }));
  expect(result).toEqual({ now: '2026-06-01T00:01:30.000Z', ran: 0, items: [] });
});

it('an advance runs the jobs that fall due, and lists them: vendor, report, vouchers', async () => {
  const sandbox = await testSandbox();
  const advance = async (seconds: number) => ok(await sandbox.control.POST('/clock/advance', { body: { seconds } }));
  ok(await order(sandbox));
  const [soon, day] = ['2026-01-12T04:30:02.000Z', '2026-01-13T04:30:00.000Z'];
  expect(await advance(1)).toEqual({ now: '2026-01-12T04:30:01.000Z', ran: 0, items: [] });
  expect(await advance(1)).toEqual({
    now: soon,
    ran: 3,
    items: [
      { id: 'W000000000003', kind: 'fulfilLine', at: soon },
      { id: 'W000000000004', kind: 'reportStatus', at: soon },
      { id: 'W000000000005', kind: 'sendVouchers', at: soon },
    ],
  });
  expect(await advance(86_398)).toEqual({ now: day, ran: 0, items: [] });
});

it('OP-22: a redemption is checked after a day if it is still pending, and not if it has ended', async () => {
  const sandbox = await testSandbox();
  const advance = async (seconds: number) => ok(await sandbox.control.POST('/clock/advance', { body: { seconds } }));
  await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'deliver', delay_seconds: 2 * 86_400 });
  ok(await order(sandbox));
  const day = '2026-01-13T04:30:00.000Z';
  const items = [{ id: 'W000000000002', kind: 'pendingTimeout', at: day }];
  expect(await advance(86_400)).toEqual({ now: day, ran: 1, items });
  ok(await order(sandbox, { line_items: [{ sku: 'EGV-CHAI-250', quantity: 1 }] }));
  const { items: ran } = ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 86_400 } }));
  expect(ran.map(({ kind }) => kind)).not.toContain('pendingTimeout');
});

it('each job runs at its own instant, in time order', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'deliver', delay_seconds: 30 });
  const chai = { line_items: [{ sku: 'EGV-CHAI-250', quantity: 1 }] };
  const [late] = ok(await order(sandbox)).lines;
  const [early] = ok(await order(sandbox, chai)).lines;
  ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 3600 } }));
  const { items } = ok(await sandbox.control.GET('/activity'));
  const deliveries = items.flatMap((item) =>
    item.kind === 'state' && item.event === 'redemption.delivered'
      ? [[item.at.slice(14, 19), item.redeem_codes[0]]]
      : [],
  );
  expect(deliveries).toEqual([
    ['30:02', early?.redeemCode],
    ['30:30', late?.redeemCode],
  ]);
});

it('settle runs the jobs that are due now and those that they make due, and time does not move', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, 'EGV-SPICE-500', { outcome: 'deliver', delay_seconds: 0 });
  ok(await order(sandbox));
  const settle = async () => ok(await sandbox.control.POST('/settle'));
  expect(await settle()).toMatchObject({
    now: start,
    ran: 3,
    items: [{ kind: 'fulfilLine' }, { kind: 'reportStatus' }, { kind: 'sendVouchers' }],
  });
  expect(await settle()).toEqual({ now: start, ran: 0, items: [] });
});

it('concurrent advances run one after the other, and each job runs once', async () => {
  const sandbox = await testSandbox();
  for (const uid of ['CUST0001', 'CUST0004', 'CUST0005']) ok(await order(sandbox, { uid }));
  const advance = async () => ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 2 } }));
  const results = await Promise.all([advance(), advance(), advance()]);
  expect(results.reduce((total, { ran }) => total + ran, 0)).toBe(9);
  expect(results.map(({ now }) => now.slice(17, 19)).sort()).toEqual(['02', '04', '06']);
});
