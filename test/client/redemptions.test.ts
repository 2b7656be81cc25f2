/** Tests deductions and the reports of redemption results (B5 to B14, S1 to S8; OP-21, OP-22, OP-23). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { refusal, wrapped } from '../harness/envelopes.ts';
import { signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, ledgerOf, opening, refusing } from '../harness/state.ts';

type Status = 'Pending' | 'Delivered' | 'Rejected';

const success = { status: 200, body: { success: true, status: 200 } };
const unknown = wrapped(422, 'Unknown redeemCode.');
const reference = redemption.redeemCode;

const save = async ({ client }: TestSandbox, change: { [Field in keyof typeof redemption]?: string } = {}) =>
  refusal(await client().POST('/saveRedeemDetails', { body: { ...redemption, ...change } as typeof redemption }));
const update = async ({ client }: TestSandbox, status: Status, change: object = {}) =>
  refusal(await client().POST('/updateRedeemStatus', { body: { ...report(status), ...change } }));

it('B5, B6, B7, R17, S3: saveRedeemDetails deducts totalPointWithProcessingFee (OP-08)', async () => {
  const sandbox = await testSandbox();
  const fees = { tdsSingleItem: '50', totalpoints: '550', processingFee: '49', totalPointWithProcessingFee: '599' };
  expect(await save(sandbox, fees)).toEqual(success);
  expect(await ledgerOf(sandbox, 'CUST0001')).toEqual({
    balance: 25_000 - 599,
    entries: [opening, { kind: 'deduct', points: 599, reference, label: 'Pending' }],
  });
});

it('OP-23: the same redemption again gets 200, with one deduction, even after its delivery', async () => {
  const sandbox = await testSandbox();
  expect(await Promise.all(Array.from({ length: 5 }, () => save(sandbox)))).toEqual(
    Array.from({ length: 5 }, () => success),
  );
  await update(sandbox, 'Delivered');
  expect(await save(sandbox)).toEqual(success);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
});

it('OP-23: the same redeemCode with any other value is refused, and nothing is deducted', async () => {
  const sandbox = await testSandbox();
  await save(sandbox);
  const expectNoChange = await refusing(sandbox);
  const others = {
    uid: { uid: 'CUST0005' },
    points: { redeemPoints: '501', totalpoints: '501', totalPointWithProcessingFee: '501' },
    quantity: { quantity: '2' },
    productCode: { productCode: 'EGV-CHAI-250' },
    email: { email: 'other@example.com' },
  };
  for (const [name, change] of Object.entries(others)) {
    const answer = await expectNoChange(save(sandbox, change));
    expect(answer, name).toEqual(wrapped(422, 'redeemCode was used with other values.'));
  }
});

it('OP-17: in a session the JWT deducts for its own customer only', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0001');
  expect(refusal(await sandbox.client(jwt).POST('/saveRedeemDetails', { body: redemption }))).toEqual(success);
  const other = { ...redemption, uid: 'CUST0005', redeemCode: 'RDM-2' };
  expect(refusal(await sandbox.client(jwt).POST('/saveRedeemDetails', { body: other }))).toEqual(
    wrapped(422, 'Token Invalid'),
  );
});

const alreadyDelivered = wrapped(422, 'Order already Delivered.');
const alreadyRejected = wrapped(422, 'Order already Rejected.');

it.each([
  { before: [], status: 'Pending', answer: success, balance: 24_500, label: 'Pending' },
  { before: [], status: 'Delivered', answer: success, balance: 24_500, label: 'Redeemed' },
  { before: [], status: 'Rejected', answer: success, balance: 25_000, label: 'Reversed' },
  { before: ['Delivered'], status: 'Pending', answer: alreadyDelivered, balance: 24_500, label: 'Redeemed' },
  { before: ['Delivered'], status: 'Delivered', answer: success, balance: 24_500, label: 'Redeemed' },
  { before: ['Delivered'], status: 'Rejected', answer: alreadyDelivered, balance: 24_500, label: 'Redeemed' },
  { before: ['Rejected'], status: 'Pending', answer: alreadyRejected, balance: 25_000, label: 'Reversed' },
  { before: ['Rejected'], status: 'Delivered', answer: alreadyRejected, balance: 25_000, label: 'Reversed' },
  { before: ['Rejected'], status: 'Rejected', answer: success, balance: 25_000, label: 'Reversed' },
] as const)(
  'B10, B13, B14, S1, S4, S5: OP-21: after Pending $before a report of $status',
  async ({ before, status, answer, balance, label }) => {
    const sandbox = await testSandbox();
    await save(sandbox);
    for (const earlier of before) await update(sandbox, earlier);
    expect(await update(sandbox, status)).toEqual(answer);
    const ledger = await ledgerOf(sandbox, 'CUST0001');
    const deduct = { kind: 'deduct', points: 500, reference, label };
    const reverse = { kind: 'reverse', points: 500, reference, label };
    expect(ledger).toEqual({ balance, entries: label === 'Reversed' ? [opening, deduct, reverse] : [opening, deduct] });
  },
);

it('OP-21: ten concurrent reports of Rejected refund the points once', async () => {
  const sandbox = await testSandbox();
  await save(sandbox);
  const answers = await Promise.all(Array.from({ length: 10 }, () => update(sandbox, 'Rejected')));
  expect(answers).toEqual(answers.map(() => success));
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-21: a redemption that was Rejected is never deducted again', async () => {
  const sandbox = await testSandbox();
  await save(sandbox);
  await update(sandbox, 'Rejected');
  expect(await save(sandbox)).toEqual(alreadyRejected);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-22: a Rejected for an unknown code leaves a mark, so that a late deduction is always refused', async () => {
  const sandbox = await testSandbox();
  expect(await update(sandbox, 'Rejected')).toEqual(unknown);
  const expectNoChange = await refusing(sandbox);
  expect(await expectNoChange(update(sandbox, 'Rejected'))).toEqual(unknown);
  expect(await expectNoChange(update(sandbox, 'Delivered'))).toEqual(unknown);
  expect(await expectNoChange(update(sandbox, 'Pending'))).toEqual(unknown);
  expect(await expectNoChange(save(sandbox))).toEqual(alreadyRejected);
});

it('OP-21: a Delivered or a Pending for an unknown code leaves no mark', async () => {
  const sandbox = await testSandbox();
  const expectNoChange = await refusing(sandbox);
  expect(await expectNoChange(update(sandbox, 'Delivered'))).toEqual(unknown);
  expect(await expectNoChange(update(sandbox, 'Pending'))).toEqual(unknown);
  expect(await save(sandbox)).toEqual(success);
});

it('B11: OP-21: status and orderStatus that differ are refused, and nothing changes', async () => {
  const sandbox = await testSandbox();
  await save(sandbox);
  const expectNoChange = await refusing(sandbox);
  const differ = wrapped(422, 'status and orderStatus differ.');
  expect(await expectNoChange(update(sandbox, 'Rejected', { orderStatus: 'Delivered' }))).toEqual(differ);
  expect(await expectNoChange(update(sandbox, 'Delivered', { orderStatus: 'Pending' }))).toEqual(differ);
});

it('S1, S2: a status other than the three, or in lowercase, counts as a missing mandatory detail', async () => {
  const sandbox = await testSandbox();
  await save(sandbox);
  const expectNoChange = await refusing(sandbox);
  const mandatory = wrapped(422, 'Please enter the mandatory details to proceed further.');
  for (const status of ['pending', 'DELIVERED', 'Cancelled', '']) {
    expect(await expectNoChange(update(sandbox, 'Pending', { status, orderStatus: status })), status).toEqual(
      mandatory,
    );
  }
});
