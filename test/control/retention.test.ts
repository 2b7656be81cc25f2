/** Tests how long old records are stored, in sandbox time and after reopening the folder (OP-57, OP-20). */
import { expect, it } from 'vitest';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { project } from '../../sandbox/assembly/settings.ts';
import { add, send as sendMessage } from '../../sandbox/client/outbox.ts';
import { makeProfile } from '../../sandbox/client/profiles.ts';
import { noAttempts } from '../../sandbox/domain/otp.ts';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { entryFor, look, onward, send } from '../harness/visitor.ts';

const day = 24 * 3600;
const customers = ['CUST0001', 'CUST0002', 'CUST0005'];

const signInAll = async (sandbox: TestSandbox) => {
  for (const uid of customers) await signIn(sandbox, uid);
};

/** The number of history records of each kind for the demo customers (OP-162). */
const historyCounts = { orders: 8, redemptions: 8, vouchers: 5 };

/** Closes a sandbox, and expects these numbers of records in its folder. */
async function expectStored(
  sandbox: TestSandbox,
  dir: string,
  expected: { [C in keyof WorkspaceCollections]?: number },
) {
  await sandbox.close();
  const store = await openLowdbStore({ dir, schema: workspaceSchema, warn: (message) => expect.fail(message) });
  const collections = Object.keys(expected) as (keyof WorkspaceCollections)[];
  const counts = Object.fromEntries(collections.map((collection) => [collection, store.count(collection)]));
  await store.close();
  expect(counts).toEqual(expected);
}

it('OP-57: codes are deleted a day after they expire, sessions when they expire, messages after a month', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  await signInAll(first);
  await expectStored(first, dataDir, { otps: 3, sessions: 3, messages: 3 });

  const second = await testSandbox({ dataDir });
  await advance(second, 1801);
  await signInAll(second);
  await expectStored(second, dataDir, { otps: 6, sessions: 3, messages: 6 });

  const third = await testSandbox({ dataDir });
  await advance(third, 31 * day);
  await signInAll(third);
  await expectStored(third, dataDir, { otps: 3, sessions: 3, messages: 3 });
});

it('OP-18, OP-57: for a day, the refusal of an expired code differs from that of an unknown code', async () => {
  const sandbox = await testSandbox();
  const requestCode = async (customer_id: string) =>
    ok(await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id } }));
  const { reference_id } = await requestCode('CUST0001');
  const message = async () => {
    const body = { customer_id: 'CUST0001', otp: '000000', reference_id };
    const { error } = await sandbox.auth.POST('/api/v1/auth/verify-otp', { body });
    return error?.data.message;
  };
  await advance(sandbox, day);
  await requestCode('CUST0002');
  expect(await message()).toBe('OTP has expired.');
  await advance(sandbox, 301);
  await requestCode('CUST0002');
  expect(await message()).toBe('Unknown reference_id.');
});

it('OP-20, OP-57: a key and its exact reply are stored for a day, across a restart; after that the key is new', async () => {
  const dataDir = await temporaryFolder();
  const orderWithKey = async (sandbox: TestSandbox, key: string) => {
    const headers = {
      authorization: await sandbox.companyToken(),
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const body = JSON.stringify({ uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] });
    const url = `${sandbox.urls.rewards}/v1/partner/redeemptiononskus`;
    const response = await fetch(url, { method: 'POST', headers, body });
    return { text: await response.text(), replayed: response.headers.get('idempotent-replayed') };
  };
  const first = await testSandbox({ dataDir });
  const reply = await orderWithKey(first, 'one');
  await advance(first, day - 1);
  expect((await orderWithKey(first, 'two')).replayed).toBeNull();
  await first.close();
  const second = await testSandbox({ dataDir });
  expect(await orderWithKey(second, 'one')).toEqual({ ...reply, replayed: 'true' });
  await advance(second, 2);
  expect((await orderWithKey(second, 'three')).replayed).toBeNull();
  const laterReply = await orderWithKey(second, 'one');
  expect(laterReply.replayed).toBeNull();
  expect(laterReply.text).not.toBe(reply.text);
  await expectStored(second, dataDir, { idempotency: 3 });
});

it('OP-57: the fulfilment of a redemption is deleted after a month, and the voucher stays', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  for (let number = 0; number < 2; number += 1) ok(await order(first));
  await advance(first, 30 * day + 10);
  await expectStored(first, dataDir, { fulfilments: 2, vouchers: historyCounts.vouchers + 2 });

  const second = await testSandbox({ dataDir });
  ok(await order(second));
  await advance(second, 3);
  await expectStored(second, dataDir, { fulfilments: 1, vouchers: historyCounts.vouchers + 3 });
});

it('OP-57: orders, ledger, payments and parked deliveries are never deleted', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  ok(await order(sandbox));
  await advance(sandbox, 365 * day);
  ok(await order(sandbox));
  await expectStored(sandbox, dataDir, {
    orders: historyCounts.orders + 2,
    redemptions: historyCounts.redemptions + 2,
    vouchers: historyCounts.vouchers + 1,
  });
});

it('OP-34, OP-57: a token opens the portal once, even after the end of its session, and is deleted a month after it expires', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  const first = await entryFor(sandbox, 'CUST0001');
  expect((await look(first)).status).toBe(303);
  await advance(sandbox, 1800);
  expect((await look(await entryFor(sandbox, 'CUST0002'))).status).toBe(303);
  expect((await look(first)).status).toBe(422);
  await expectStored(sandbox, dataDir, { portalEntries: 2, sessions: 2 });

  const later = await testSandbox({ dataDir });
  await advance(later, 31 * day);
  expect((await look(await entryFor(later, 'CUST0005'))).status).toBe(303);
  await expectStored(later, dataDir, { portalEntries: 1, sessions: 1 });
});

it('OP-57, OP-97: a visit to the microsite is stored for as long as its address is valid', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  const begin = () => send(`${sandbox.urls.microsite}/codes`, { customer_id: 'CUST0007' });
  const page = onward(await begin());
  await advance(sandbox, 3599);
  await begin();
  expect((await look(page)).status).toBe(200);
  await advance(sandbox, 2);
  await begin();
  await expectStored(sandbox, dataDir, { visits: 2 });
});

it('OP-36, OP-57, OP-167: the outbox stores the newest 10,000 messages, from any sender', async () => {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, (message) => expect.fail(message));
  const uid = 'CUST0001';
  const profile = makeProfile(uid, 1, project);
  const account = { totalEarned: 0, totalRedeemed: 0 };
  await store.transact((tx) => tx.put('customers', uid, { uid, profile, account, attempts: noAttempts }));
  for (let part = 0; part < 11; part += 1) {
    await store.transact((tx) => {
      for (let pair = 0; pair < 500; pair += 1) {
        sendMessage(tx, { uid, kind: 'otp', text: 'x', at: 0 });
        add(tx, { source: 'gateway', uid: null, kind: 'other', channel: 'SMS', mobile: '*7', text: 'y', at: 0 });
      }
    });
  }
  const messages = store.all('messages');
  expect([messages.length, messages[0]?.seq, messages.at(-1)?.seq]).toEqual([10_000, 1001, 11_000]);
});
