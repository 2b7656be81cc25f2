/** Tests that voucher codes are unique, even if the random stream repeats (OP-94). */
import { expect, test } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { Clock, freshClock } from '../../sandbox/runtime/clock.ts';
import { placeStream } from '../../sandbox/runtime/ids.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { Vendors } from '../../sandbox/vendors/vendors.ts';
import { testSpans } from '../harness/spans.ts';

const request = (redeemCode: string) =>
  ({ redeemCode, sku_code: 'EGV-SPICE-500', product_type: 'EGV', quantity: 1, trace: 'trace' }) as const;

/** Creates a vendor whose random stream can be rewound. */
async function vendor() {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  const clock = new Clock(freshClock('frozen'), () => 0);
  const activity = new Activity(store, clock, expect.fail);
  const vendors = new Vendors({ store, clock, activity, spans: testSpans(), vendorOf: () => 'egift' });
  const rewind = () => store.transact((tx) => placeStream(tx, { seed: 'codes', drawn: 0 }));
  const codesOf = async (redeemCode: string) => {
    const answer = await vendors.fulfil(request(redeemCode));
    return answer.kind === 'delivered' ? answer.vouchers.map(({ voucherCode }) => voucherCode) : [];
  };
  await rewind();
  return { codesOf, rewind };
}

test('OP-94: a code that is drawn twice is issued once', async () => {
  const { codesOf, rewind } = await vendor();
  const [first] = await codesOf('RDM-1');
  await rewind();
  const [second] = await codesOf('RDM-2');
  expect(first).toMatch(/^([2-9A-Z]{4}-){3}[2-9A-Z]{4}$/);
  expect(second).toMatch(/^([2-9A-Z]{4}-){3}[2-9A-Z]{4}$/);
  expect(second).not.toBe(first);
});

test('a repeated request for a redemption returns the same codes', async () => {
  const { codesOf } = await vendor();
  expect(await codesOf('RDM-1')).toEqual(await codesOf('RDM-1'));
});
