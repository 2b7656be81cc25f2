/** How often the reference client reads a wallet: a large one with a distance that follows its size (OP-92). */
import { describe, expect, it } from 'vitest';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import type { Client } from '../../sandbox/client/client.ts';
import type { Voucher } from '../../sandbox/client/platform-gateway.ts';
import { carryOut } from '../../sandbox/client/redemptions.ts';
import { WalletReads } from '../../sandbox/client/wallet-reads.ts';
import { sendVouchers } from '../../sandbox/client/workers/sendVouchers.ts';
import type { Clock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

const uid = 'CUST0001';

describe('a large wallet', () => {
  it('is not read again for a tenth of a millisecond for each of its vouchers', () => {
    const reads = new WalletReads();
    reads.note(uid, 10_000, 5_000);
    expect([reads.at(uid, 5_100), reads.at(uid, 7_000)]).toEqual([6_000, 7_000]);
  });

  it('makes other large wallets wait, together in turn, and no small one', () => {
    const reads = new WalletReads();
    reads.note('other', 20_000, 0);
    expect(reads.at(uid, 10)).toBe(10);
    reads.note(uid, 10_000, 10);
    expect([reads.at('other', 20), reads.at(uid, 20), reads.at('small', 20)]).toEqual([3_000, 3_000, 20]);
  });

  it('is small again once it was read as such, and waits for no more than a minute', () => {
    const reads = new WalletReads();
    for (let read = 0; read < 100; read += 1) reads.note(uid, 40_000, 0);
    expect(reads.at(uid, 0)).toBe(60_000);
    reads.note(uid, 99, 0);
    expect(reads.at(uid, 0)).toBe(0);
  });

  it('may be read at once after a return to an earlier time', () => {
    const reads = new WalletReads();
    reads.note(uid, 10_000, 1e12);
    reads.forget();
    reads.note(uid, 10_000, 0);
    expect(reads.at(uid, 0)).toBe(1_000);
  });
});

/** A client whose customer has so many vouchers, and each delivery one more, on a clock that the test moves. */
async function clientWith(vouchers: number, mode: Clock['mode']) {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  const wallet = Array.from({ length: vouchers }, (_, n) => voucher(`OLD-${n}`));
  const told = { now: 0, reads: 0 };
  const clock = { mode, now: () => told.now } as Clock;
  const getWallet = async () => {
    told.reads += 1;
    await new Promise(setImmediate);
    return [...wallet];
  };
  const parts = { store, clock, platform: { getWallet }, walletReads: new WalletReads() };
  const settings = () => ({ pending_timeout: 1800 });
  const client = { ...parts, settings, activity: { note: () => {}, nextSeq: () => 1 } } as unknown as Client;
  const account = { totalEarned: 1_000_000, totalRedeemed: 0 };
  const profile = { mobileNo: '+919999900000' };
  await store.transact((tx) => tx.put('customers', uid, { uid, account, profile } as never));
  const deliver = async (redeemCode: string) => {
    wallet.push(voucher(redeemCode));
    await store.transact((tx) => {
      carryOut(client, tx, redeemCode, { type: 'save', uid, points: 1, fingerprint: '', vouchers: true }, '');
      carryOut(client, tx, redeemCode, { type: 'report', status: 'Delivered', reason: '' }, '');
    });
  };
  /** Runs what is due until an instant, four pieces at once, as the runner does. */
  const runUntil = async (end: number) => {
    for (;;) {
      const due = store.all('due').filter(({ kind, at }) => kind === 'sendVouchers' && at <= end);
      const [first] = due.toSorted((one, other) => one.at - other.at);
      if (first === undefined) break;
      told.now = Math.max(told.now, first.at);
      const now = due.filter(({ at }) => at <= told.now).slice(0, 4);
      await Promise.all(now.map((work) => sendVouchers(client, work)));
    }
    told.now = Math.max(told.now, end);
  };
  const sent = () => store.all('messages').filter(({ kind }) => kind === 'voucher').length;
  return { deliver, runUntil, told, sent };
}

function voucher(redemptionCode: string): Voucher {
  const validityEndDate = '2027-01-12 10:00:00';
  return { redemptionCode, productName: '', voucherCode: redemptionCode, pin: null, validityEndDate } as Voucher;
}

it.each([
  [10_000, 'running', 11],
  [10, 'running', 100],
] as const)(
  'OP-92: a hundred deliveries in ten seconds to a wallet of %i vouchers on a %s clock cost %i reads at most',
  async (vouchers, mode, reads) => {
    const { deliver, runUntil, told, sent } = await clientWith(vouchers, mode);
    for (let number = 0; number < 100; number += 1) {
      await deliver(`RDM-${number}`);
      await runUntil((number + 1) * 100);
    }
    await runUntil(20_000);
    expect(sent()).toBe(100);
    expect(told.reads).toBeLessThanOrEqual(reads);
    expect(told.reads).toBeGreaterThan(reads / 2);
  },
);

it('OP-92: deliveries that come together share one read, also of a wallet that nobody has read yet', async () => {
  const { deliver, runUntil, told, sent } = await clientWith(500, 'running');
  for (let number = 0; number < 30; number += 1) await deliver(`RDM-${number}`);
  await runUntil(1_000);
  expect([sent(), told.reads]).toEqual([30, 1]);
});

it('OP-92: on a frozen clock nothing waits: what is asked for is sent', async () => {
  const { deliver, runUntil, told, sent } = await clientWith(10_000, 'frozen');
  for (let number = 0; number < 3; number += 1) {
    await deliver(`RDM-${number}`);
    await runUntil(0);
  }
  expect([sent(), told.reads, told.now]).toEqual([3, 3, 0]);
});
