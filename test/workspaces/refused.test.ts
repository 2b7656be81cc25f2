/** A change that the disk refuses has no effect in the store or in memory (OP-94). */
import { describe, expect, it } from 'vitest';
import { unavailable } from '../harness/envelopes.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { walletOf } from '../harness/state.ts';
import { orderIn } from '../harness/workspaces.ts';
import { onDisk, whileFull } from './failing-disk.ts';

type Sandbox = Awaited<ReturnType<typeof testSandbox>>;

const advance = ({ control }: Sandbox, seconds: number) => control.POST('/clock/advance', { body: { seconds } });

/** Places an order and advances the clock by an hour, which completes the order. */
async function orderAnHour(sandbox: Sandbox) {
  const { order_id, lines } = await orderIn(sandbox);
  ok(await advance(sandbox, 3600));
  return { order_id, redeemCode: lines[0]?.redeemCode };
}

async function snapshotOf({ control }: Sandbox): Promise<string> {
  return ok(await control.POST('/snapshots', { body: {} })).id;
}

/** Returns the clock, the vouchers, the ledger and the due work. */
async function stateOf(sandbox: Sandbox) {
  const uid = 'CUST0001';
  const [clock, wallet, ledger, deliveries] = await Promise.all([
    sandbox.control.GET('/clock').then(ok),
    walletOf(sandbox, uid),
    sandbox.control.GET('/ledger/{uid}', { params: { path: { uid } } }).then(ok),
    sandbox.control.GET('/deliveries').then(ok),
  ]);
  return { clock, wallet, ledger, deliveries };
}

/** The changes that the disk can refuse. */
const changes: Record<string, (sandbox: Sandbox, snapshot: string) => Promise<{ error?: unknown }>> = {
  restore: ({ control }, id) => control.POST('/snapshots/{id}/restore', { params: { path: { id } } }),
  reset: ({ control }) => control.POST('/reset'),
  advance: (sandbox) => advance(sandbox, 86_400),
  'advance to what is due': (sandbox) => advance(sandbox, 2),
  order: async (sandbox) => {
    const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
    return sandbox.rewards(await sandbox.companyToken()).POST('/v1/partner/redeemptiononskus', { body });
  },
};

/** Places orders before and after a snapshot, and one that remains pending. Returns the snapshot's id. */
async function addHistory(sandbox: Sandbox): Promise<string> {
  await orderAnHour(sandbox);
  const snapshot = await snapshotOf(sandbox);
  await orderAnHour(sandbox);
  await orderIn(sandbox);
  return snapshot;
}

describe('OP-94: when the disk refuses', () => {
  it.each(Object.keys(changes))(
    '%s, the caller gets an error, and clock, ledger, vouchers and due work do not change',
    async (name) => {
      const [sandbox, disk] = await onDisk();
      const snapshot = await addHistory(sandbox);
      const before = await stateOf(sandbox);
      const refused = await whileFull(disk, async () => changes[name]?.(sandbox, snapshot));
      expect(refused?.error).toEqual(unavailable.body);
      expect(await stateOf(sandbox)).toEqual(before);
    },
  );

  it.each(Object.keys(changes))('%s, the next random values are the same as without the refusal', async (name) => {
    const runStory = async (sandbox: Sandbox, refuse: (snapshot: string) => Promise<unknown>) => {
      await refuse(await addHistory(sandbox));
      const order = await orderAnHour(sandbox);
      return [order, (await stateOf(sandbox)).wallet];
    };
    const [sandbox, disk] = await onDisk();
    const actual = await runStory(sandbox, (snapshot) =>
      whileFull(disk, async () => changes[name]?.(sandbox, snapshot)),
    );
    expect(actual).toEqual(await runStory(await testSandbox(), async () => undefined));
  });
});

it('OP-94: due work that reuses the id of refused work is not delayed by it', async () => {
  const [sandbox, disk] = await onDisk();
  await whileFull(disk, async () => changes.order?.(sandbox, ''));
  ok(await sandbox.control.POST('/triggers/payment', { body: {} }));
  const { items } = ok(await sandbox.control.POST('/settle'));
  expect(items).toEqual([{ id: 'W000000000001', kind: 'creditPoints', at: '2026-01-12T04:30:00.000Z' }]);
});

describe('OP-94: no voucher code is issued twice', () => {
  it('an order after a refused restore does not change the vouchers of earlier orders', async () => {
    const [sandbox, disk] = await onDisk();
    const snapshot = await snapshotOf(sandbox);
    await orderAnHour(sandbox);
    const earlier = await walletOf(sandbox);
    await whileFull(disk, async () => changes.restore?.(sandbox, snapshot));
    await orderAnHour(sandbox);
    const data = await walletOf(sandbox);
    expect(data.slice(0, earlier.length)).toEqual(earlier);
    expect(new Set(data.map(({ voucherCode }) => voucherCode)).size).toBe(2);
  });
});

it.each(['reset', 'restore'])(
  'OP-94: a %s is one change: it succeeds although the disk refuses every write after it',
  async (how) => {
    const [sandbox, disk] = await onDisk();
    const id = await snapshotOf(sandbox);
    await orderAnHour(sandbox);
    let isFull = false;
    disk.refuses = ({ name }) => {
      if (isFull && name === 'write') return 'ENOSPC';
      // Renaming the draft of the new content makes it permanent.
      isFull ||= name === 'rename';
      return undefined;
    };
    const { control } = sandbox;
    const call =
      how === 'reset' ? control.POST('/reset') : control.POST('/snapshots/{id}/restore', { params: { path: { id } } });
    expect((await call).response.status).toBe(200);
    expect([isFull, await walletOf(sandbox)]).toEqual([true, []]);
  },
);
