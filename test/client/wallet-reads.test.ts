/** Tests how often the reference client reads a wallet. The interval grows with the wallet's size (OP-92). */
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
  it('is not read again for 0.1 ms per voucher', () => {
    const reads = new WalletReads();
    reads.note(uid, 10_000, 5_000);
    expect([reads.at(uid, 5_100), reads.at(uid, 7_000)]).toEqual([6_000, 7_000]);
  });

  it('makes other large wallets wait for their turn, and no small one', () => {
    const reads = new WalletReads();
    reads.note('other', 20_000, 0);
    expect(reads.at(uid, 10)).toBe(10);
    reads.note(uid, 10_000, 10);
    expect([reads.at('other', 20), reads.at(uid, 20), reads.at('small', 20)]).toEqual([3_000, 3_000, 20]);
  });

  it('waits for at most a minute, and counts as small again after a read with few vouchers', () => {
    const reads = new WalletReads();
    for (let read = 0; read < 100; read += 1) reads.note(uid, 40_000, 0);
    expect(reads.at(uid, 0)).toBe(60_000);
    reads.note(uid, 99, 0);
    expect(reads.at(uid, 0)).toBe(0);
  });

  it('can be read immediately after the clock returns to an earlier time', () => {
    const reads = new WalletReads();
    reads.note(uid, 10_000, 1e12);
    reads.forget();
    reads.note(uid, 10_000, 0);
    expect(reads.at(uid, 0)).toBe(1_000);
  });
});

/** Creates a client whose customer has `vouchers` vouchers, plus one per delivery, on a clock that the test advances. */
async function clientWith(vouchers: number, mode: Clock['mode']) {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  const wallet = Array.from({ length: vouchers }, (_, n) => voucher(`OLD-${n}`));
  const state = { now: 0, reads: 0 };
  const clock = { mode, now: () => state.now } as Clock;
  const getWallet = async () => {
    state.reads += 1;
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
  /** Runs all jobs that are due until an instant, at most four concurrently, as the job runner does. */
  const runUntil = async (end: number) => {
    for (;;) {
      const due = store.all('due').filter(({ kind, at }) => kind === 'sendVouchers' && at <= end);
      const [first] = due.toSorted((one, other) => one.at - other.at);
      if (first === undefined) break;
      state.now = Math.max(state.now, first.at);
      const now = due.filter(({ at }) => at <= state.now).slice(0, 4);
      await Promise.all(now.map((work) => sendVouchers(client, work)));
    }
    state.now = Math.max(state.now, end);
  };
  const countSent = () => store.all('messages').filter(({ kind }) => kind === 'voucher').length;
  return { deliver, runUntil, state, countSent };
}

function voucher(redemptionCode: string): Voucher {
  const validityEndDate = '2027-01-12 10:00:00';
  return { redemptionCode, productName: '', voucherCode: redemptionCode, pin: null, validityEndDate } as Voucher;
}

it.each([
  [10_000, 'running', 11],
  [10, 'running', 100],
] as const)(
  'OP-92: a hundred deliveries in ten seconds to a wallet of %i vouchers on a %s clock need at most %i reads',
  async (vouchers, mode, reads) => {
    const { deliver, runUntil, state, countSent } = await clientWith(vouchers, mode);
    for (let number = 0; number < 100; number += 1) {
      await deliver(`RDM-${number}`);
      await runUntil((number + 1) * 100);
    }
    await runUntil(20_000);
    expect(countSent()).toBe(100);
    expect(state.reads).toBeLessThanOrEqual(reads);
    expect(state.reads).toBeGreaterThan(reads / 2);
  },
);

it('OP-92: deliveries at the same time share one read, even of a wallet that was never read before', async () => {
  const { deliver, runUntil, state, countSent } = await clientWith(500, 'running');
  for (let number = 0; number < 30; number += 1) await deliver(`RDM-${number}`);
  await runUntil(1_000);
  expect([countSent(), state.reads]).toEqual([30, 1]);
});

it('OP-92: on a frozen clock nothing waits: each voucher is sent immediately', async () => {
  const { deliver, runUntil, state, countSent } = await clientWith(10_000, 'frozen');
  for (let number = 0; number < 3; number += 1) {
    await deliver(`RDM-${number}`);
    await runUntil(0);
  }
  expect([countSent(), state.reads, state.now]).toEqual([3, 3, 0]);
});
