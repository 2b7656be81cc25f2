/**
 * The delivery matrix (OP-17, OP-21 to OP-24): each call of the platform to the client, under each fault, with and
 * without a kill -9 in between. Once the fault is over and time has passed, both sides' books agree and each effect
 * happened once.
 */
import { afterEach, expect, it } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { type Fault, FaultyClient, faults } from './faulty-client.ts';
import { killable } from './killable.ts';

const uid = 'CUST0001';
const clients = new Set<FaultyClient>();

afterEach(() => {
  for (const client of clients) client.close();
  clients.clear();
});

/**
 * A sandbox of a process of its own, which can be killed. Its timeout is one that a busy machine does not reach: only the
 * kill ends a call early.
 */
async function spawned(dataDir: string) {
  const child = await killable({ dataDir, outgoing: { totalTimeout: 10_000 } });
  if (child === undefined) throw new Error('nobody killed it, and it is gone');
  return { child, ...(await clientsOf(child.urls)) };
}

async function clientsOf(urls: { rewards: string; client: string; sandbox: string }) {
  const control = createSandboxClient({ baseUrl: urls.sandbox });
  const { credentials } = ok(await control.GET('/workspace'));
  // A new token for every call: an hour of sandbox time is soon over here.
  const token = async () => {
    const body = { secret: credentials.company_secret };
    return ok(await createRewardsClient({ baseUrl: urls.rewards }).POST('/v1/company/auth', { body })).token;
  };
  return { urls, control, rewards: createRewardsClient({ baseUrl: urls.rewards, token }) };
}

type Started = Awaited<ReturnType<typeof clientsOf>>;

const line_items = [{ sku: 'EGV-CHAI-100', quantity: 1 }];
const order = ({ rewards }: Started) => rewards.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items } });

/** What must be there before the call, and what sets it in motion. */
const calls = {
  creditPoints: {
    prepare: async () => {},
    act: async ({ rewards, control }: Started) => {
      const body = { uid, eventType: 'DIGITAL_PAYMENT', transactionId: 'PAY-1', paymentAmount: '70000' } as const;
      ok(await rewards.POST('/v1/partner/events/payment', { body }));
      ok(await control.POST('/settle'));
    },
  },
  saveRedeemDetails: {
    prepare: async () => {},
    act: async (started: Started) => {
      await order(started);
      ok(await started.control.POST('/settle'));
    },
  },
  updateRedeemStatus: {
    prepare: async (started: Started) => void ok(await order(started)),
    act: async ({ control }: Started) => void ok(await control.POST('/clock/advance', { body: { seconds: 2 } })),
  },
} as const;

type Operation = keyof typeof calls;

/** Both sides' books, once everything has been delivered that can be. */
async function books({ control, rewards }: Started) {
  const { items, balance } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
  const wallet = ok(await rewards.GET('/getwalletdetail', { params: { query: { uid } } })).data;
  const of = (kind: string) => items.filter((entry) => entry.kind === kind);
  return { items, balance, credits: of('credit').slice(1), deducts: of('deduct'), reverses: of('reverse'), wallet };
}

/**
 * Both sides' books agree, and each effect happened once: the payment credited, or the redemption either delivered with
 * its voucher or given back.
 */
async function expectAgreement(operation: Operation, fault: Fault, started: Started): Promise<void> {
  const { items, balance, credits, deducts, reverses, wallet } = await books(started);
  const compared = async () => ok(await started.control.GET('/reconciliation'));
  // OP-110: by what the server said. One that takes no connections told no balance before the credit.
  expect((await compared()).items).toMatchObject(
    operation === 'creditPoints' && fault === 'refused' ? [{ kind: 'unknown', reason: 'no_read_before' }] : [],
  );
  // OP-23: by the books of the reference client, which is behind it.
  ok(await started.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  expect(await compared()).toEqual({ items: [], next: null });
  const sum = (entries: { points: number }[]) => entries.reduce((total, { points }) => total + points, 0);
  expect(balance).toBe(25_000 + sum(credits) - sum(deducts) + sum(reverses));
  expect(items.map(({ label }) => label)).not.toContain('Pending');
  if (operation === 'creditPoints') {
    expect(credits).toMatchObject([{ points: 700, reference: 'PAY-1' }]);
    return;
  }
  expect(deducts.length).toBeLessThanOrEqual(1);
  const ended = [...wallet.map(({ redemptionCode }) => redemptionCode), ...reverses.map(({ reference }) => reference)];
  expect(ended).toEqual(deducts.map(({ reference }) => reference));
  if (operation === 'updateRedeemStatus') expect(wallet).toHaveLength(1);
}

/** The seconds after the first try at which the platform tried a call, as the activity log has them. */
async function triedAt({ control }: Started, operation: Operation): Promise<number[]> {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  const tries = items.filter((entry) => entry.kind === 'call_out' && entry.operation === operation);
  const [first] = tries;
  return tries.map(({ at }) => (Date.parse(at) - Date.parse(first?.at ?? at)) / 1000);
}

/** Puts a client that is about to misbehave before the reference client. */
async function misbehaving(operation: Operation, fault: Fault, started: Started): Promise<FaultyClient> {
  const client = new FaultyClient({ operation, fault, times: 3 });
  clients.add(client);
  await client.listen();
  client.target = started.urls.client;
  ok(await started.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  await calls[operation].prepare(started);
  // An order asks for the profile first: there the client stops listening only after that call.
  if (fault === 'refused' && operation !== 'saveRedeemDetails') client.close();
  return client;
}

/** The faults that keep an operation from success. Any 2xx to creditPoints is one, whatever its body is (OP-102). */
function faultsOf(operation: Operation): readonly Fault[] {
  return operation === 'creditPoints' ? faults.filter((fault) => fault !== 'malformed body') : faults;
}

/** One operation's row of the matrix: each fault, without a crash. */
export function matrix(operation: Operation): void {
  it.each(faultsOf(operation))('%s: each effect once in the end, and the tries follow the schedule', async (fault) => {
    const { urls } = await testSandbox({ outgoing: { totalTimeout: 500 } });
    const started = await clientsOf(urls);
    const client = await misbehaving(operation, fault, started);
    await calls[operation].act(started);
    ok(await started.control.POST('/clock/advance', { body: { seconds: 305 } }));
    await client.heal();
    ok(await started.control.POST('/clock/advance', { body: { seconds: 100_000 } }));
    await expectAgreement(operation, fault, started);
    // A duplicate is answered at the first try. An order call tries three times at once, and then reports instead.
    const retried = operation === 'saveRedeemDetails' ? [0, 0, 0] : [0, 5, 305, 2105];
    expect(await triedAt(started, operation)).toEqual(fault === 'duplicate' ? [0] : retried);
  });
}

/** The same with a crash: under each fault in the nightly suite, under these in the other. */
export function kills(operation: Operation, under: readonly Fault[] = faultsOf(operation)): void {
  it.each(under)(`${operation}: %s, and a kill -9 in between: each effect once in the end`, async (fault) => {
    const data = await temporaryFolder();
    const started = await spawned(data);
    const client = await misbehaving(operation, fault, started);
    client.onHit = () => void started.child.kill();
    // The call that the process was killed in has no answer.
    await calls[operation]
      .act(started)
      .catch((error: Error) => expect(error.message).toMatch(/fetch failed|terminated/));
    await started.child.kill();
    const again = await spawned(data);
    client.target = again.urls.client;
    await client.heal();
    ok(await again.control.POST('/clock/advance', { body: { seconds: 100_000 } }));
    await expectAgreement(operation, fault, again);
  });
}
