/**
 * The calls that faults affect when the client is a partner's own server. Every call to that server and every webhook is tested once, and
 * impossible faults are refused (OP-115, OP-117). A reply made by a fault does not count as the partner's (OP-118).
 */
import { describe, expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { callsOf, creditPoints, credits, failing, listRewards, readReply, sentCalls } from '../harness/faults.ts';
import { advance, order, pay, setStock, vendorWill, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf } from '../harness/state.ts';
import { handTimer, instantTimer } from '../harness/timer.ts';
import { onward, send } from '../harness/visitor.ts';
import { receiver } from '../harness/webhook-receiver.ts';

const rejectOrder = async (sandbox: TestSandbox) => {
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
  const body = { customer_id: 'CUST0001', line_items: [voucher] };
  await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body });
  await advance(sandbox, 2);
};
const placeOrder = async (sandbox: TestSandbox) => {
  await order(sandbox);
  await advance(sandbox, 2);
};
const requestCode = ({ urls }: TestSandbox) => send(`${urls.microsite}/codes`, { customer_id: 'CUST0001' });

/** Actions that make the platform or the microsite call each client operation. */
const causes: Readonly<Record<string, (sandbox: TestSandbox) => Promise<unknown>>> = {
  getProfileAndPoints: placeOrder,
  saveRedeemDetails: placeOrder,
  updateRedeemStatus: placeOrder,
  creditPoints: async (sandbox) => {
    ok(await pay(sandbox));
    await advance(sandbox, 0);
  },
  getCustomerPoints: rejectOrder,
  redeemPoints: rejectOrder,
  reversePoints: rejectOrder,
  generateOtp: requestCode,
  verifyOtp: async (sandbox) => send(onward(await requestCode(sandbox)), { otp: '000000' }),
};

it('OP-115: this test covers all operations of the client', async () => {
  const { control } = await testSandbox();
  const { items } = ok(await control.GET('/operations'));
  const hosted = items.filter(({ hosted_by }) => hosted_by === 'client').map(({ operation }) => operation);
  expect(Object.keys(causes).toSorted()).toEqual(hosted.toSorted());
});

it.each(Object.keys(causes))("OP-115: %s meets its fault on the way to a partner's server", async (target) => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, () => 'pass');
  const fault = await failing(sandbox, { target, fault: 'status', status: 503, times: 1 });
  await causes[target]?.(sandbox);
  const sent = await sentCalls(sandbox, target);
  expect(sent[0]).toMatchObject({ status: 503 });
  expect(sent.flatMap(({ notices }) => notices).filter((notice) => notice.startsWith('fault '))).toEqual([
    `fault ${fault}: status`,
  ]);
  // The call that the fault answered never reached the server, but a later try may have.
  const arrived = await callsOf(sandbox, target);
  expect(arrived.map(({ notices }) => notices)).toEqual(Array(sent.length - 1).fill([]));
  expect(ok(await sandbox.control.GET('/faults')).items).toEqual([]);
});

describe('OP-115: a fault applies once, at a point that depends on the destination of the call', () => {
  it('the reference client: when it serves the call, not on the way there', async () => {
    const sandbox = await testSandbox();
    const fault = await failing(sandbox, { target: 'saveRedeemDetails', fault: 'duplicate' });
    ok(await order(sandbox));
    const notices = ['the repeated call returned status 200', `fault ${fault}: duplicate`];
    expect(await callsOf(sandbox, 'saveRedeemDetails')).toEqual([{ status: 200, notices }]);
    expect(await sentCalls(sandbox, 'saveRedeemDetails')).toEqual([{ status: 200, notices: [] }]);
  });

  it('a server that forwards calls to the reference client: on the way there, not when the call is served', async () => {
    const sandbox = await testSandbox();
    const clientCalls = await stubClient(sandbox, () => 'pass');
    const fault = await failing(sandbox, { target: 'saveRedeemDetails', fault: 'duplicate' });
    ok(await order(sandbox));
    const notices = ['the repeated call returned status 200', `fault ${fault}: duplicate`];
    expect(await sentCalls(sandbox, 'saveRedeemDetails')).toEqual([{ status: 200, notices }]);
    const once = { status: 200, notices: [] };
    expect(await callsOf(sandbox, 'saveRedeemDetails')).toEqual([once, once]);
    expect(clientCalls.filter(({ operation }) => operation === 'saveRedeemDetails')).toHaveLength(2);
  });

  it('an existing fault follows a change of the client, in both directions', async () => {
    const sandbox = await testSandbox();
    const fault = await failing(sandbox, { target: 'creditPoints', fault: 'status', status: 503 });
    await stubClient(sandbox, () => 'pass');
    // A call from outside encounters the fault at the reference client.
    expect(await readReply(creditPoints(sandbox))).toMatchObject({ status: 503, fault });
    await causes.creditPoints?.(sandbox);
    expect(await sentCalls(sandbox, 'creditPoints')).toMatchObject([{ status: 503 }]);
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
    expect(await readReply(creditPoints(sandbox))).toMatchObject({ status: 503, fault });
    await advance(sandbox, 5);
    expect((await sentCalls(sandbox, 'creditPoints')).at(-1)).toMatchObject({
      status: 503,
      notices: [expect.any(String)],
    });
  });

  it("the platform's own operations: when the platform serves them, with any client", async () => {
    const sandbox = await testSandbox();
    await stubClient(sandbox, () => 'pass');
    const fault = await failing(sandbox, { target: 'listRewards', fault: 'status', status: 503, times: 1 });
    expect(await readReply(listRewards(sandbox))).toMatchObject({ status: 503, fault });
  });
});

describe('OP-117: webhooks meet faults when they are sent', () => {
  it.each([
    ['reset', {}, 1, [null, 204]],
    ['lost_reply', {}, 2, [null, 204]],
    ['status', { status: 503 }, 1, [503, 204]],
    ['duplicate', {}, 2, [204]],
    ['latency', { ms: 20_000 }, 2, [null, 204]],
    ['drip', { ms: 20_000 }, 2, [null, 204]],
    ['latency', { ms: 2000 }, 1, [204]],
  ] as const)(
    '%s %j: the event arrives %i times, and the tries have statuses %j',
    async (fault, more, times, statuses) => {
      const { delay } = instantTimer();
      const sandbox = await testSandbox({ delay });
      const { received, webhook_id } = await receiver(sandbox);
      const id = await failing(sandbox, { target: 'catalogueUpdated', fault, ...more, times: 1 });
      await setStock(sandbox, 7);
      await advance(sandbox, 0);
      await advance(sandbox, 5);
      expect(received).toHaveLength(times);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      const [first] = await sentCalls(sandbox, 'catalogueUpdated');
      expect(first?.notices.at(-1)).toBe(`fault ${id}: ${fault}`);
      const tries = ok(
        await sandbox.control.GET('/webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id } } }),
      ).items;
      expect(tries.map(({ status }) => status)).toEqual(statuses);
      expect(tries.at(-1)?.state).toBe('delivered');
    },
  );

  it('out_of_order: an event overtakes the previous one', async () => {
    const { delay, waits } = handTimer();
    const sandbox = await testSandbox({ delay, clock: 'running' });
    const { received } = await receiver(sandbox);
    await failing(sandbox, { target: 'catalogueUpdated', fault: 'out_of_order', times: 1 });
    await setStock(sandbox, 7);
    await waits();
    await setStock(sandbox, 8);
    await expect.poll(() => received.length).toBe(2);
    const stocks = received.map(({ body }) => JSON.parse(body).data.items[0].item.qty);
    expect(stocks).toEqual(['8', '7']);
  });

  it.each([{ client_url: null }, { client_url: 'http://127.0.0.1:9' }])(
    'with %j: malformed is refused, because only the status of the reply counts',
    async (settings) => {
      const { control } = await testSandbox();
      ok(await control.PATCH('/workspace', { body: { settings } }));
      const reply = refusal(
        await control.POST('/faults', { body: { target: 'catalogueUpdated', fault: 'malformed' } }),
      );
      const why = 'malformed has no effect on catalogueUpdated, because only the status of its response counts';
      expect(reply).toEqual(flat(400, 53, `Invalid request: /fault ${why}`));
      expect(ok(await control.GET('/faults'))).toEqual({ items: [], next: null });
    },
  );
});

describe('OP-118: a reply made by a fault is not a reply of the partner', () => {
  const findings = async ({ control }: TestSandbox) =>
    ok(await control.GET('/findings', { params: { query: { wait: 60 } } })).items;

  it.each([
    ['status', { status: 429 }],
    ['malformed', {}],
  ] as const)('%s: there is no finding, neither in the log nor in the list', async (fault, more) => {
    const sandbox = await testSandbox();
    await stubClient(sandbox, () => 'pass');
    await failing(sandbox, { target: 'saveRedeemDetails', fault, ...more, times: 1 });
    ok(await order(sandbox));
    const { items } = ok(await sandbox.control.GET('/activity'));
    expect(items.filter((item) => 'findings' in item)).toEqual([]);
    expect(await findings(sandbox)).toEqual([]);
  });

  it('latency: the reply is still that of the partner, and what is wrong with it is found', async () => {
    const { delay } = instantTimer();
    const sandbox = await testSandbox({ delay });
    await stubClient(sandbox, ({ operation, times }) =>
      operation === 'saveRedeemDetails' && times === 1 ? { status: 200, body: {} } : 'pass',
    );
    await failing(sandbox, { target: 'saveRedeemDetails', fault: 'latency', ms: 5, times: 1 });
    ok(await order(sandbox));
    const foundIssues = (await findings(sandbox)).map(({ operation, party, hosted_by }) => [
      operation,
      party,
      hosted_by,
    ]);
    expect(foundIssues).toContainEqual(['saveRedeemDetails', 'host', 'client']);
  });
});

describe("OP-72: magic customers and amounts work with a partner's server", () => {
  it.each([
    ['MAGIC-REFUSED', 'Unknown customer. (MAGIC-REFUSED)'],
    ['MAGIC-POINTS-CHANGE', 'User points have changed. (MAGIC-POINTS-CHANGE)'],
  ])('%s: the sandbox refuses the order in place of the server', async (uid, message) => {
    const sandbox = await testSandbox();
    const clientCalls = await stubClient(sandbox, () => 'pass');
    expect(refusal(await order(sandbox, { uid }))).toEqual(flat(422, 56, `Refused by the client: ${message}`));
    expect(clientCalls.map(({ operation }) => operation)).not.toContain('saveRedeemDetails');
    expect(await sentCalls(sandbox, 'saveRedeemDetails')).toEqual([{ status: 422, notices: [`fault ${uid}: status`] }]);
  });

  it('MAGIC-LATE: three deductions get no reply in time, and the points are refunded', async () => {
    const { delay, delays } = instantTimer();
    const sandbox = await testSandbox({ delay });
    const clientCalls = await stubClient(sandbox, () => 'pass');
    expect((await order(sandbox, { uid: 'MAGIC-LATE' })).response.status).toBe(502);
    expect(delays).toEqual([15_000, 15_000, 15_000]);
    await advance(sandbox, 0);
    const paths = clientCalls.map(({ operation }) => operation);
    expect(paths.filter((path) => path === 'saveRedeemDetails')).toHaveLength(3);
    expect(await balanceOf(sandbox, 'MAGIC-LATE')).toBe(25_000);
  });

  it.each([
    ['4503.01', 1, 3],
    ['4409.01', 2, 1],
    ['4504.01', 3, 3],
  ])('%s: the payment arrives %i times in %i tries, and is credited once', async (paymentAmount, arrive, tries) => {
    const { delay } = instantTimer();
    const sandbox = await testSandbox({ delay });
    const clientCalls = await stubClient(sandbox, () => 'pass');
    ok(await pay(sandbox, { paymentAmount }));
    await advance(sandbox, 305);
    expect(clientCalls.filter(({ operation }) => operation === 'creditPoints')).toHaveLength(arrive);
    expect(await sentCalls(sandbox, 'creditPoints')).toHaveLength(tries);
    expect(await credits(sandbox)).toBe(1);
  });

  it('MAGIC-LOCKED: the microsite gets the refusal, and the server gets no call', async () => {
    const sandbox = await testSandbox();
    const clientCalls = await stubClient(sandbox, () => 'pass');
    await send(`${sandbox.urls.microsite}/codes`, { customer_id: 'MAGIC-LOCKED' });
    expect(clientCalls).toEqual([]);
    expect(await sentCalls(sandbox, 'generateOtp')).toEqual([{ status: 422, notices: ['fault MAGIC-LOCKED: status'] }]);
  });
});
