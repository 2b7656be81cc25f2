/** Tests how the reference client validates redemption records and status reports (OP-122). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { wrapped } from '../harness/envelopes.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { ledgerOf, refusing } from '../harness/state.ts';

/** Calls an operation with the service token. Returns the status, the body and `X-Problem`. */
async function sendCall({ urls, credentials }: TestSandbox, operation: string, body: object) {
  const headers = { authorization: `Bearer ${credentials.service_token}`, 'content-type': 'application/json' };
  const answer = await raw(`${urls.client}/${operation}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: answer.body, problem: answer.headers.get('x-problem') };
}

const withTds = {
  ...redemption,
  quantity: '3',
  redeemPoints: '1500',
  tdsSingleItem: '50',
  totalpoints: '1650',
  processingFee: '49',
  totalPointWithProcessingFee: '1699',
};

it.each([
  ['a total without the fee', { totalPointWithProcessingFee: '1650' }, '/totalPointWithProcessingFee must be 1699'],
  ['a total one too high', { totalPointWithProcessingFee: '1700' }, '/totalPointWithProcessingFee must be 1699'],
  ['TDS of one unit only', { totalpoints: '1550', totalPointWithProcessingFee: '1599' }, '/totalpoints must be 1650'],
  ['another quantity', { quantity: '2' }, '/totalpoints must be 1600'],
  [
    'numbers beyond a double',
    { tdsSingleItem: '999999999999999', quantity: '999999999999999' },
    '/totalpoints must be 999999999999998000000000001501',
  ],
])('OP-122: %s is refused, and nothing is deducted', async (_, change, problem) => {
  const sandbox = await testSandbox();
  const expectNoChange = await refusing(sandbox);
  expect(await expectNoChange(sendCall(sandbox, 'saveRedeemDetails', { ...withTds, ...change }))).toEqual({
    ...wrapped(422, 'Points do not add up.'),
    problem: `${problem}, the sum of its parts`,
  });
});

it('OP-08: OP-122: a record that adds up with fee and TDS is deducted in full', async () => {
  const sandbox = await testSandbox();
  expect(await sendCall(sandbox, 'saveRedeemDetails', withTds)).toMatchObject({ status: 200 });
  expect((await ledgerOf(sandbox, 'CUST0001')).balance).toBe(25_000 - 1699);
});

it('OP-122: the code of another project is refused in a record and in a report', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.client().POST('/saveRedeemDetails', { body: redemption }));
  const expectNoChange = await refusing(sandbox);
  const unknown = (where: string) => ({
    ...wrapped(422, 'Unknown project.'),
    problem: `${where} must be the project code in the profile`,
  });
  const record = { ...redemption, redeemCode: 'RDM-900002-TEST02', scheme: 'OTHER' };
  expect(await expectNoChange(sendCall(sandbox, 'saveRedeemDetails', record))).toEqual(unknown('/scheme'));
  const rejection = { ...report('Rejected'), projectCode: 'OTHER' };
  expect(await expectNoChange(sendCall(sandbox, 'updateRedeemStatus', rejection))).toEqual(unknown('/projectCode'));
});
