/** Checks the ledger against the invariants in `ledger-law.ts`, with random histories and races. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { project } from '../../sandbox/assembly/settings.ts';
import { clientHandlers } from '../../sandbox/client/apis.ts';
import type { Client } from '../../sandbox/client/client.ts';
import { Directory } from '../../sandbox/client/directory.ts';
import { PlatformGateway } from '../../sandbox/client/platform-gateway.ts';
import { pendingTimeout } from '../../sandbox/client/redemptions.ts';
import { WalletReads } from '../../sandbox/client/wallet-reads.ts';
import { toItself } from '../../sandbox/http-client/connecting.ts';
import { Outgoing, outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { DueRunner } from '../../sandbox/jobs/due.ts';
import { finish } from '../../sandbox/jobs/work.ts';
import { Clock, freshClock } from '../../sandbox/runtime/clock.ts';
import { draw, SeededRandom } from '../../sandbox/runtime/ids.ts';
import { defaultSettings } from '../../sandbox/runtime/settings.ts';
import { Tokens } from '../../sandbox/runtime/tokens.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { scaled } from '../harness/scale.ts';
import { testSpans } from '../harness/spans.ts';
import {
  breaches,
  type Command,
  customers,
  histories,
  type OnTimeout,
  opening,
  type Side,
  unlawful,
} from './ledger-law.ts';

const policies = fc.constantFrom<OnTimeout[]>('wait', 'reverse');

/** Returns the record that requests a deduction. */
function record({ uid, code, points }: Extract<Command, { do: 'save' }>) {
  const amount = String(points);
  return {
    uid,
    scheme: 'DEMO01',
    redeemCode: code,
    redeemPoints: amount,
    shippingAddress: '',
    processingFee: '0',
    productCode: 'EGV-1',
    productName: 'Voucher',
    quantity: '1',
    redeemStatus: 'pending' as const,
    email: '',
    mobileNo: '',
    totalpoints: amount,
    totalPointWithProcessingFee: amount,
    tdsSingleItem: '0',
  };
}

function event({ uid, id, points }: Extract<Command, { do: 'credit' }>) {
  const eventType = 'DIGITAL_PAYMENT' as const;
  return { uid, eventType, transactionId: id, paymentAmount: '10', points: String(points) };
}

function update({ code, status }: Extract<Command, { do: 'report' }>) {
  return { redeemCode: code, status, orderStatus: status, remark: '', projectCode: 'DEMO01' };
}

/**
 * Runs the reference client's own handlers and timeout worker over an in-memory store. `commitBreaches` collects the
 * violations found at each commit.
 */
async function referenceClient(on_timeout: OnTimeout): Promise<{ side: Side; commitBreaches: Set<string> }> {
  const store = openMemoryStore(workspaceSchema);
  const clock = new Clock(freshClock('frozen'), () => 0);
  const random = new SeededRandom('property');
  const activity = new Activity(store, clock, expect.fail);
  const nowhere = { rewardsUrl: () => 'http://127.0.0.1:9', companySecret: '' };
  const unreachable = new Outgoing(outgoingTerms, toItself(nowhere.rewardsUrl, expect.fail), () => clock.now());
  const client: Client = {
    store,
    clock,
    random,
    drawKept: draw,
    activity,
    serviceToken: '',
    gatewayToken: '',
    basic: { username: '', password: '' },
    platform: new PlatformGateway(unreachable, { activity, spans: testSpans() }, clock, nowhere),
    walletReads: new WalletReads(),
    projectCode: 'DEMO01',
    customerTokens: new Tokens({ issuer: 'a', audience: 'b', workspace: 'demo' }, new Uint8Array(32), () =>
      clock.now(),
    ),
    settings: () => ({ ...defaultSettings, client_url: '', client_token: '', on_timeout }),
  };
  const workers = {
    pendingTimeout: (work: Parameters<typeof pendingTimeout>[1]) => pendingTimeout(client, work),
    sendVouchers: (work: { id: string }) => store.transact((tx) => finish(tx, work)),
  };
  const runner = new DueRunner(store, clock, async (state) => clock.follow(state), workers, expect.fail);
  const directory = new Directory(client, project, { seed: 'property' });
  await store.transact((tx) => customers.map((uid) => directory.add(tx, uid, { balance: opening })));
  const signal = () => new AbortController().signal;
  const patience = () => expect.fail('no caller waits');
  const about = {
    query: {},
    path: {},
    header: {},
    isAddressed: false,
    prefersPage: () => false,
    trace: 'f'.repeat(32),
    gone: signal,
    patience,
  };
  const call = { ...about, caller: { kind: 'service' } } as const;
  const keep = <R>(_tx: unknown, answer: R) => answer;
  const accounts = () =>
    directory
      .list(undefined, 100)
      .map(({ uid, points }) => ({ uid, points, items: directory.ledger(uid)?.items ?? [] }));
  const commitBreaches = new Set<string>();
  store.onCommit(() => {
    for (const breach of unlawful(accounts())) commitBreaches.add(breach);
  });
  const carryOut = async (command: Command) => {
    if (command.do === 'pass') return (await runner.advance(command.hours * 3_600_000)) >= 0;
    if (command.do === 'credit')
      return 'status' in (await clientHandlers.creditPoints(client, { ...call, keep, body: event(command) }));
    if (command.do === 'save')
      return 'status' in (await clientHandlers.saveRedeemDetails(client, { ...call, keep, body: record(command) }));
    return 'status' in (await clientHandlers.updateRedeemStatus(client, { ...call, keep, body: update(command) }));
  };
  return { side: { carryOut, accounts }, commitBreaches };
}

test('ledger: any history, with races, keeps the invariants at each commit of the reference client', async () => {
  const property = fc.asyncProperty(histories, policies, async (history, onTimeout) => {
    const { side, commitBreaches } = await referenceClient(onTimeout);
    expect([...(await breaches(side, history, onTimeout)), ...commitBreaches]).toEqual([]);
  });
  await fc.assert(property, { numRuns: scaled(100, 400) });
});
