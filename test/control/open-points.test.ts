/** Tests open points and the calls that rely on them, over the control API and with the command (OP-250). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

/** Makes the calls of the quickstart in order. */
async function quickstart(sandbox: TestSandbox): Promise<void> {
  const { companyToken } = await signIn(sandbox, 'CUST0001');
  const rewards = sandbox.rewards(companyToken);
  ok(await rewards.GET('/v1/partner/rewards', { params: { query: { type: 'egv', limit: 3 } } }));
  ok(await order(sandbox, {}, 'cart-1'));
  await advance(sandbox, 2);
  ok(await sandbox.rewards(companyToken).GET('/getwalletdetail', { params: { query: { uid: 'CUST0001' } } }));
}

const list = async ({ control }: TestSandbox, query: { relied_on?: 'yes' | 'no'; blocks?: 'yes' } = {}) =>
  ok(await control.GET('/open-points', { params: { query } }));

const idsOf = (points: readonly { readonly id: string }[]) => points.map(({ id }) => id);

/** Runs the command. */
async function run(...args: string[]) {
  const { code, stdout, stderr } = await inProcess(['open-points', ...args]).ended;
  return { code, stdout, stderr };
}

it('OP-250: lists every point, and none relies on a call before there is one', async () => {
  const sandbox = await testSandbox();
  const { items, checked_to } = await list(sandbox);
  expect([items.length, items.filter(({ blocks }) => blocks).length, checked_to]).toEqual([105, 40, 0]);
  expect(items[7]).toMatchObject({ id: 'OP-08', title: 'Which number is deducted', blocks: true });
  expect((await list(sandbox, { relied_on: 'yes' })).items).toEqual([]);
  expect((await list(sandbox, { relied_on: 'no', blocks: 'yes' })).items).toHaveLength(40);
});

it('OP-250: the quickstart relies on the points of its fields, credentials and statuses, and names a call for each', async () => {
  const sandbox = await testSandbox();
  await quickstart(sandbox);
  const { items, checked_from, checked_to } = await list(sandbox, { relied_on: 'yes' });
  const { items: log } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  expect([checked_from, checked_to]).toEqual([1, log.at(-1)?.seq]);
  const ids = idsOf(items);
  // These points concern sign-in, orders, deductions, idempotency keys, one-time passwords and the catalogue.
  expect(ids).toEqual(expect.arrayContaining(['OP-02', 'OP-04', 'OP-05', 'OP-06', 'OP-08', 'OP-18', 'OP-20']));
  // The quickstart uses no webhooks, payment events, version 2.0, general API, call limits or cancellations.
  for (const id of ['OP-25', 'OP-26', 'OP-29', 'OP-28', 'OP-30', 'OP-31', 'OP-127']) expect(ids).not.toContain(id);
  const order = items.find(({ id }) => id === 'OP-05');
  const placed = log.find((entry) => 'operation' in entry && entry.operation === 'createRedemptionOrder');
  expect(order).toMatchObject({
    kept: 1,
    violated: 0,
    example: {
      number: placed?.seq,
      operation: 'createRedemptionOrder',
      method: 'POST',
      url: '/rewards/v1/partner/redeemptiononskus',
      status: 200,
      trace: placed?.trace,
    },
  });
});

it('OP-250: a call that breaks an assumption counts as a violation, and a reset starts over', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 11 }] };
  expect((await rewards.POST('/v1/partner/redeemptiononskus', { body })).response.status).toBe(400);
  const point = (await list(sandbox, { relied_on: 'yes' })).items.find(({ id }) => id === 'OP-05');
  expect(point).toMatchObject({ kept: 0, violated: 1, example: { operation: 'createRedemptionOrder', status: 400 } });
  ok(await sandbox.control.POST('/reset'));
  expect(idsOf((await list(sandbox, { relied_on: 'yes' })).items)).toEqual([]);
});

it('OP-250: a call that several rules of a point check counts once', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const body = {
    uid: 'CUST0001',
    eventType: 'DIGITAL_PAYMENT',
    transactionId: 'UPI-1',
    paymentAmount: '2500.00',
  } as const;
  expect((await rewards.POST('/v1/partner/events/payment', { body })).response.status).toBe(202);
  ok(await sandbox.control.POST('/settle'));
  const { items } = await list(sandbox, { relied_on: 'yes' });
  // The payment, and the credit that repeats the customer, amount and points of the payment.
  expect(items.find(({ id }) => id === 'OP-25')).toMatchObject({ kept: 2, violated: 0 });
});

it('OP-250: the command lists the same for a running sandbox and for an export of its log', async () => {
  const sandbox = await testSandbox();
  await quickstart(sandbox);
  const { items } = await list(sandbox, { relied_on: 'yes', blocks: 'yes' });
  const origin = new URL(sandbox.urls.sandbox).origin;
  const running = await run('--sandbox', origin, '--relied-on', '--blocking', '--json');
  expect(running).toEqual({ code: 0, stdout: `${JSON.stringify(items)}\n`, stderr: '' });
  const log = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  const file = join(await temporaryFolder(), 'activity.json');
  await writeFile(file, JSON.stringify(log));
  const captured = await run('--capture', file, '--relied-on', '--blocking', '--json');
  const counts = (points: typeof items) => points.map(({ id, kept, violated }) => ({ id, kept, violated }));
  expect(captured).toMatchObject({ code: 0, stderr: '' });
  expect(counts(JSON.parse(captured.stdout))).toEqual(counts(items));
});

it('OP-250: the table, the CSV and the questionnaire name the points that were relied on', async () => {
  const sandbox = await testSandbox();
  await quickstart(sandbox);
  const { items } = await list(sandbox, { relied_on: 'yes' });
  const origin = new URL(sandbox.urls.sandbox).origin;
  const printed = async (...flags: string[]) => (await run('--sandbox', origin, '--relied-on', ...flags)).stdout;
  const [head, ...rows] = (await printed()).trimEnd().split('\n');
  expect(head).toMatch(/^ID +BLOCKS +CALLS +VIOLATED +ANSWER +EXAMPLE +TITLE$/);
  expect(rows.map((row) => row.split(' ')[0])).toEqual(idsOf(items));
  const csv = await printed('--csv');
  expect(csv).toMatch(
    /^id,title,blocks,calls,violated,operation,example,trace,question,assumption,ask,operations,answer\r\n/,
  );
  expect(
    csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',')[0]),
  ).toEqual(idsOf(items));
  const questions = await printed('--markdown');
  expect([...questions.matchAll(/^## (OP-\d+): /gm)].map(([, id]) => id)).toEqual(idsOf(items));
  expect(questions).toContain(
    '**Question:** Everything about the order call except `line_items` and their SKUs.\n\n**Our assumption:** ',
  );
  // The `ask` of a point is advice for its reader, not for the other side.
  for (const { ask } of items) expect(questions).not.toContain(ask);
  expect(questions).toMatch(
    /\*\*Why it matters:\*\* it concerns createRedemptionOrder, createOrder, createProductOrder; 1 call relies on it, for example `POST \/rewards\/v1\/partner\/redeemptiononskus -> 200` \(trace `[0-9a-f]{32}`\)\. It blocks going live\.\n\n\*\*Your answer:\*\* \[ \] the assumption holds/,
  );
});

it.each([
  { args: ['--json', '--csv'], code: 2, stderr: /error: option '--\w+' cannot be used with option '--\w+'/ },
  { args: ['--capture', 'no-such-file.har'], code: 3, stderr: /Cannot check the capture: it is unreadable/ },
])('OP-250: the command ends with $code for $args', async ({ args, code, stderr }) => {
  expect(await run(...args)).toEqual({ code, stdout: '', stderr: expect.stringMatching(stderr) });
});
