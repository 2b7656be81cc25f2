/**
 * How long the books keep what nobody asks for any more, on sandbox time and in a folder that is opened again (OP-57,
 * OP-20).
 */
import { expect, it } from 'vitest';
import type { WorkspaceCollections } from '../../sandbox/assembly/collections.ts';
import { workspaceSchema } from '../../sandbox/assembly/collections.ts';
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

const signedIn = async (sandbox: TestSandbox) => {
  for (const uid of customers) await signIn(sandbox, uid);
};

/** What the history of the demo customers holds (OP-162). */
const past = { orders: 8, redemptions: 8, vouchers: 5 };

/** Closes a sandbox and tells what its folder holds. */
async function held(sandbox: TestSandbox, dir: string, ...collections: (keyof WorkspaceCollections)[]) {
  await sandbox.close();
  const store = await openLowdbStore({ dir, schema: workspaceSchema, warn: (message) => expect.fail(message) });
  const counts = Object.fromEntries(collections.map((collection) => [collection, store.count(collection)]));
  await store.close();
  return counts;
}

it('OP-57: codes a day after their end, sessions at their end and messages of a month ago make room', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  await signedIn(first);
  expect(await held(first, dataDir, 'otps', 'sessions', 'messages')).toEqual({ otps: 3, sessions: 3, messages: 3 });

  const second = await testSandbox({ dataDir });
  await advance(second, 1801);
  await signedIn(second);
  expect(await held(second, dataDir, 'otps', 'sessions', 'messages')).toEqual({ otps: 6, sessions: 3, messages: 6 });

  const third = await testSandbox({ dataDir });
  await advance(third, 31 * day);
  await signedIn(third);
  expect(await held(third, dataDir, 'otps', 'sessions', 'messages')).toEqual({ otps: 3, sessions: 3, messages: 3 });
});

it('OP-18, OP-57: a code that has expired is told from an unknown one for a day', async () => {
  const sandbox = await testSandbox();
  const ask = async (customer_id: string) =>
    ok(await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id } }));
  const { reference_id } = await ask('CUST0001');
  const message = async () => {
    const body = { customer_id: 'CUST0001', otp: '000000', reference_id };
    const { error } = await sandbox.auth.POST('/api/v1/auth/verify-otp', { body });
    return error?.data.message;
  };
  await advance(sandbox, day);
  await ask('CUST0002');
  expect(await message()).toBe('OTP has expired.');
  await advance(sandbox, 301);
  await ask('CUST0002');
  expect(await message()).toBe('Unknown reference_id.');
});

it('OP-20, OP-57: a key is kept for a day with its reply, byte for byte, over a restart; after that it is new', async () => {
  const dataDir = await temporaryFolder();
  const keyed = async (sandbox: TestSandbox, key: string) => {
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
  const reply = await keyed(first, 'one');
  await advance(first, day - 1);
  expect((await keyed(first, 'two')).replayed).toBeNull();
  await first.close();
  const second = await testSandbox({ dataDir });
  expect(await keyed(second, 'one')).toEqual({ ...reply, replayed: 'true' });
  await advance(second, 2);
  expect((await keyed(second, 'three')).replayed).toBeNull();
  const again = await keyed(second, 'one');
  expect(again.replayed).toBeNull();
  expect(again.text).not.toBe(reply.text);
  expect(await held(second, dataDir, 'idempotency')).toEqual({ idempotency: 3 });
});

it('OP-57: replies that an older version kept without the time count as kept at the start', async () => {
  const dataDir = await temporaryFolder();
  await (await testSandbox({ dataDir })).close();
  const store = await openLowdbStore({
    dir: dataDir,
    schema: workspaceSchema,
    warn: (message) => expect.fail(message),
  });
  const old = { fingerprint: 'f', status: 200, text: '{}' } as WorkspaceCollections['idempotency'];
  await store.transact((tx) => tx.put('idempotency', 'old', old));
  await store.close();
  const sandbox = await testSandbox({ dataDir });
  await advance(sandbox, day + 1);
  const headers = { 'Idempotency-Key': 'new' };
  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const rewards = sandbox.rewards(await sandbox.companyToken());
  ok(await rewards.POST('/v1/partner/redeemptiononskus', { body, headers }));
  expect(await held(sandbox, dataDir, 'idempotency')).toEqual({ idempotency: 1 });
});

it('OP-57: a start on data of an earlier version goes on counting entries where that one stopped', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  const token = await first.companyToken();
  ok(await first.rewards(token).GET('/v1/partner/rewards'));
  const numbers = async ({ control }: TestSandbox) => ok(await control.GET('/activity')).items.map(({ seq }) => seq);
  const before = await numbers(first);
  await first.close();
  const store = await openLowdbStore({
    dir: dataDir,
    schema: workspaceSchema,
    warn: (message) => expect.fail(message),
  });
  await store.transact((tx) => {
    for (const id of tx.ids('tallies')) {
      tx.put('counters', id, tx.get('tallies', id) ?? 0);
      tx.remove('tallies', id);
    }
  });
  await store.close();
  const second = await testSandbox({ dataDir });
  ok(await second.rewards(token).GET('/v1/partner/rewards'));
  expect(await numbers(second)).toEqual([...before, before.length + 1]);
  await second.close();
  const after = await openLowdbStore({
    dir: dataDir,
    schema: workspaceSchema,
    warn: (message) => expect.fail(message),
  });
  expect(after.ids('counters').filter((id) => after.ids('tallies').includes(id))).toEqual([]);
  await after.close();
});

it('OP-57: what a vendor did with a redemption makes room after a month, the voucher stays', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  for (let number = 0; number < 2; number += 1) ok(await order(first));
  await advance(first, 30 * day + 10);
  expect(await held(first, dataDir, 'fulfilments', 'vouchers')).toEqual({
    fulfilments: 2,
    vouchers: past.vouchers + 2,
  });

  const second = await testSandbox({ dataDir });
  ok(await order(second));
  await advance(second, 3);
  expect(await held(second, dataDir, 'fulfilments', 'vouchers')).toEqual({
    fulfilments: 1,
    vouchers: past.vouchers + 3,
  });
});

it('OP-57: orders, ledger, payments and parked deliveries are kept for ever', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  ok(await order(sandbox));
  await advance(sandbox, 365 * day);
  ok(await order(sandbox));
  expect(await held(sandbox, dataDir, 'orders', 'redemptions', 'vouchers')).toEqual({
    orders: past.orders + 2,
    redemptions: past.redemptions + 2,
    vouchers: past.vouchers + 1,
  });
});

it('OP-34, OP-57: a token opens the portal once, also when its session is long gone, and is forgotten a month after its end', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  const first = await entryFor(sandbox, 'CUST0001');
  expect((await look(first)).status).toBe(303);
  await advance(sandbox, 1800);
  expect((await look(await entryFor(sandbox, 'CUST0002'))).status).toBe(303);
  expect((await look(first)).status).toBe(422);
  expect(await held(sandbox, dataDir, 'portalEntries', 'sessions')).toEqual({ portalEntries: 2, sessions: 2 });

  const later = await testSandbox({ dataDir });
  await advance(later, 31 * day);
  expect((await look(await entryFor(later, 'CUST0005'))).status).toBe(303);
  expect(await held(later, dataDir, 'portalEntries', 'sessions')).toEqual({ portalEntries: 1, sessions: 1 });
});

it('OP-57, OP-97: a visit to the microsite is kept as long as its address can hold', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  const begin = () => send(`${sandbox.urls.microsite}/codes`, { customer_id: 'CUST0007' });
  const page = onward(await begin());
  await advance(sandbox, 3599);
  await begin();
  expect((await look(page)).status).toBe(200);
  await advance(sandbox, 2);
  await begin();
  expect(await held(sandbox, dataDir, 'visits')).toEqual({ visits: 2 });
});

it('OP-36, OP-57, OP-167: the outbox keeps the newest 10,000 messages, whoever sent them', async () => {
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
