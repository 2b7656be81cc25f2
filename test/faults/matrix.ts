/**
 * The delivery matrix (OP-17, OP-21 to OP-24): each platform call to the client, under each fault, with and without a kill -9. After the
 * fault and all retries, both ledgers must agree, and each effect must have happened once.
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

/** Starts a sandbox in a separate process that can be killed. Its timeout suits a busy machine, so only the kill ends a call early. */
async function spawnSandbox(dataDir: string) {
  const child = await killable({ dataDir, outgoing: { totalTimeout: 10_000 } });
  if (child === undefined) throw new Error('the process exited although no test killed it');
  return { child, ...(await clientsOf(child.urls)) };
}

async function clientsOf(urls: { rewards: string; client: string; sandbox: string }) {
  const control = createSandboxClient({ baseUrl: urls.sandbox });
  const { credentials } = ok(await control.GET('/workspace'));
  // Every call uses a new token, because these tests soon exceed an hour of sandbox time.
  const token = async () => {
    const body = { secret: credentials.company_secret };
    return ok(await createRewardsClient({ baseUrl: urls.rewards }).POST('/v1/company/auth', { body })).token;
  };
  return { urls, control, rewards: createRewardsClient({ baseUrl: urls.rewards, token }) };
}

type RunningSandbox = Awaited<ReturnType<typeof clientsOf>>;

const line_items = [{ sku: 'EGV-CHAI-100', quantity: 1 }];
const order = ({ rewards }: RunningSandbox) =>
  rewards.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items } });

/** The data that each call needs, and the action that triggers it. */
const calls = {
  creditPoints: {
    prepare: async () => {},
    act: async ({ rewards, control }: RunningSandbox) => {
      const body = { uid, eventType: 'DIGITAL_PAYMENT', transactionId: 'PAY-1', paymentAmount: '70000' } as const;
      ok(await rewards.POST('/v1/partner/events/payment', { body }));
      ok(await control.POST('/settle'));
    },
  },
  saveRedeemDetails: {
    prepare: async () => {},
    act: async (running: RunningSandbox) => {
      await order(running);
      ok(await running.control.POST('/settle'));
    },
  },
  updateRedeemStatus: {
    prepare: async (running: RunningSandbox) => void ok(await order(running)),
    act: async ({ control }: RunningSandbox) => void ok(await control.POST('/clock/advance', { body: { seconds: 2 } })),
  },
} as const;

type Operation = keyof typeof calls;

/** Reads the ledger and the wallet after all deliveries. */
async function readLedger({ control, rewards }: RunningSandbox) {
  const { items, balance } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
  const wallet = ok(await rewards.GET('/getwalletdetail', { params: { query: { uid } } })).data;
  const of = (kind: string) => items.filter((entry) => entry.kind === kind);
  return { items, balance, credits: of('credit').slice(1), deducts: of('deduct'), reverses: of('reverse'), wallet };
}

/**
 * Checks that both ledgers agree and each effect happened once. The payment must be credited, or the redemption must be delivered with its
 * voucher or refunded.
 */
async function expectAgreement(operation: Operation, fault: Fault, running: RunningSandbox): Promise<void> {
  const { items, balance, credits, deducts, reverses, wallet } = await readLedger(running);
  const reconcile = async () => ok(await running.control.GET('/reconciliation'));
  // OP-110: reconciliation uses the server's replies. A server that refused connections reported no balance before the credit.
  expect((await reconcile()).items).toMatchObject(
    operation === 'creditPoints' && fault === 'refused' ? [{ kind: 'unknown', reason: 'no_read_before' }] : [],
  );
  // OP-23: reconciliation uses the ledger of the reference client behind the server.
  ok(await running.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  expect(await reconcile()).toEqual({ items: [], next: null });
  const sum = (entries: { points: number }[]) => entries.reduce((total, { points }) => total + points, 0);
  expect(balance).toBe(25_000 + sum(credits) - sum(deducts) + sum(reverses));
  expect(items.map(({ label }) => label)).not.toContain('Pending');
  if (operation === 'creditPoints') {
    expect(credits).toMatchObject([{ points: 700, reference: 'PAY-1' }]);
    return;
  }
  expect(deducts.length).toBeLessThanOrEqual(1);
  const closedCodes = [
    ...wallet.map(({ redemptionCode }) => redemptionCode),
    ...reverses.map(({ reference }) => reference),
  ];
  expect(closedCodes).toEqual(deducts.map(({ reference }) => reference));
  if (operation === 'updateRedeemStatus') expect(wallet).toHaveLength(1);
}

/** Returns the times of all tries of a call in the activity log, in seconds after the first try. */
async function readTryTimes({ control }: RunningSandbox, operation: Operation): Promise<number[]> {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  const tries = items.filter((entry) => entry.kind === 'call_out' && entry.operation === operation);
  const [first] = tries;
  return tries.map(({ at }) => (Date.parse(at) - Date.parse(first?.at ?? at)) / 1000);
}

/** Starts a faulty client in front of the reference client. */
async function startFaultyClient(operation: Operation, fault: Fault, running: RunningSandbox): Promise<FaultyClient> {
  const client = new FaultyClient({ operation, fault, times: 3 });
  clients.add(client);
  await client.listen();
  client.target = running.urls.client;
  ok(await running.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  await calls[operation].prepare(running);
  // An order requests the profile first, so for an order the client stops listening only after that call.
  if (fault === 'refused' && operation !== 'saveRedeemDetails') client.close();
  return client;
}

/** Returns the faults that make an operation fail. For creditPoints, any 2xx is a success, regardless of its body (OP-102). */
function faultsOf(operation: Operation): readonly Fault[] {
  return operation === 'creditPoints' ? faults.filter((fault) => fault !== 'malformed body') : faults;
}

/** Tests each fault of one operation, without a crash. */
export function matrix(operation: Operation): void {
  it.each(faultsOf(operation))('%s: each effect once in the end, and the tries follow the schedule', async (fault) => {
    const { urls } = await testSandbox({ outgoing: { totalTimeout: 500 } });
    const running = await clientsOf(urls);
    const client = await startFaultyClient(operation, fault, running);
    await calls[operation].act(running);
    ok(await running.control.POST('/clock/advance', { body: { seconds: 305 } }));
    await client.heal();
    ok(await running.control.POST('/clock/advance', { body: { seconds: 100_000 } }));
    await expectAgreement(operation, fault, running);
    // A duplicate succeeds at the first try. An order call is tried three times without a pause, and then a report is sent instead.
    const retryTimes = operation === 'saveRedeemDetails' ? [0, 0, 0] : [0, 5, 305, 2105];
    expect(await readTryTimes(running, operation)).toEqual(fault === 'duplicate' ? [0] : retryTimes);
  });
}

/** Tests each of the given faults of one operation, with a crash. */
export function kills(operation: Operation, under: readonly Fault[] = faultsOf(operation)): void {
  it.each(under)(`${operation}: %s, and a kill -9 in between: each effect once in the end`, async (fault) => {
    const data = await temporaryFolder();
    const running = await spawnSandbox(data);
    const client = await startFaultyClient(operation, fault, running);
    client.onHit = () => void running.child.kill();
    // The call during which the process was killed receives no reply.
    await calls[operation]
      .act(running)
      .catch((error: Error) => expect(error.message).toMatch(/fetch failed|terminated/));
    await running.child.kill();
    const restarted = await spawnSandbox(data);
    client.target = restarted.urls.client;
    await client.heal();
    ok(await restarted.control.POST('/clock/advance', { body: { seconds: 100_000 } }));
    await expectAgreement(operation, fault, restarted);
  });
}
