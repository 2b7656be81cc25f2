/** A disk that is full for a while: whatever was under way then is settled afterwards, without a restart (OP-94). */
import { expect, it } from 'vitest';
import { ok, type TestSandbox } from '../sandbox.ts';
import { onDisk } from './failing-disk.ts';
import { orderIn } from './workspaces.ts';

/** Lets three days pass, as often as it takes until nothing is due. */
async function settled({ control }: TestSandbox) {
  for (let day = 0; day < 3; day += 1) ok(await control.POST('/clock/advance', { body: { seconds: 86_400 } }));
  const [{ items }, orders] = await Promise.all([
    control.GET('/reconciliation').then(ok),
    control.GET('/orders').then(ok),
  ]);
  return { differences: items, pending: orders.items.filter(({ order }) => order.status === 'Pending').length };
}

// Each write is the first of five that are refused, from the order to its end: so every step of it meets a full disk.
it.each([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 28])(
  'OP-94: full from the write %i of an order on, for five writes',
  async (from) => {
    const [sandbox, disk] = await onDisk();
    await sandbox.companyToken();
    let writes = 0;
    disk.refuses = ({ name, path }) => {
      if (name !== 'write' || !path.includes('journal')) return undefined;
      writes += 1;
      return writes >= from && writes < from + 5 ? 'ENOSPC' : undefined;
    };
    await orderIn(sandbox).catch(() => undefined);
    await sandbox.control.POST('/clock/advance', { body: { seconds: 3600 } });
    disk.refuses = () => undefined;
    expect(await settled(sandbox)).toEqual({ differences: [], pending: 0 });
  },
);
