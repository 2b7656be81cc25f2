/** The disk is full for five writes of an order. Afterwards, everything in progress settles without a restart. */
import { expect, it } from 'vitest';
import { ok, type TestSandbox } from '../harness/sandbox.ts';
import { orderIn } from '../harness/workspaces.ts';
import { onDisk } from './failing-disk.ts';

/** Advances the clock by three days. Returns the remaining mismatches and pending orders. */
async function settle({ control }: TestSandbox) {
  for (let day = 0; day < 3; day += 1) ok(await control.POST('/clock/advance', { body: { seconds: 86_400 } }));
  const [{ items }, orders] = await Promise.all([
    control.GET('/reconciliation').then(ok),
    control.GET('/orders').then(ok),
  ]);
  return { differences: items, pending: orders.items.filter(({ order }) => order.status === 'Pending').length };
}

const mostWrites = 40;

it.each(Array.from({ length: mostWrites }, (_, index) => index + 1))(
  'OP-94: everything settles after the disk was full for five writes, from write %i of an order on',
  async (from) => {
    const [sandbox, disk] = await onDisk();
    await sandbox.companyToken();
    let count = 0;
    disk.refuses = ({ name, path }) => {
      if (name !== 'write' || !path.includes('wal.log')) return undefined;
      count += 1;
      return count >= from && count < from + 5 ? 'ENOSPC' : undefined;
    };
    await orderIn(sandbox).catch(() => undefined);
    await sandbox.control.POST('/clock/advance', { body: { seconds: 3600 } });
    disk.refuses = () => undefined;
    expect(await settle(sandbox)).toEqual({ differences: [], pending: 0 });
  },
);
