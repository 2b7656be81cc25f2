import { expect, it } from 'vitest';
import { ok, type TestSandbox } from '../harness/sandbox.ts';
import { orderIn } from '../harness/workspaces.ts';
import { onDisk } from './failing-disk.ts';

/** Lets three days pass, as often as it takes until nothing is due. */
async function settled({ control }: TestSandbox) {
  for (let day = 0; day < 3; day += 1) ok(await control.POST('/clock/advance', { body: { seconds: 86_400 } }));
  const [{ items }, orders] = await Promise.all([
    control.GET('/reconciliation').then(ok),
    control.GET('/orders').then(ok),
  ]);
  return { differences: items, pending: orders.items.filter(({ order }) => order.status === 'Pending').length };
}

/**
 * A disk that is full for five writes of an order: whatever was under way then is settled afterwards, without a
 * restart.
 *
 * @param writes which write is the first of the five, counted from the order on
 */
export function fullForAWhile(writes: readonly number[]): void {
  it.each(writes)('OP-94: full from the write %i of an order on, for five writes: all is settled', async (from) => {
    const [sandbox, disk] = await onDisk();
    await sandbox.companyToken();
    let seen = 0;
    disk.refuses = ({ name, path }) => {
      if (name !== 'write' || !path.includes('wal.log')) return undefined;
      seen += 1;
      return seen >= from && seen < from + 5 ? 'ENOSPC' : undefined;
    };
    await orderIn(sandbox).catch(() => undefined);
    await sandbox.control.POST('/clock/advance', { body: { seconds: 3600 } });
    disk.refuses = () => undefined;
    expect(await settled(sandbox)).toEqual({ differences: [], pending: 0 });
  });
}
