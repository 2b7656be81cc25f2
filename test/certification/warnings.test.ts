/** Tests warnings, which appear as report notes and do not change a verdict. */
import { expect, it } from 'vitest';
import { certifyServer, idsWithVerdict, partner, relayed } from './judged.ts';

const credits = { only: ['CRD-01'], customers: ['CUST0001'] };

it('an answer that took over half of the time that is waited is a note', async () => {
  const { length: none } = (await certifyServer(await partner(), credits)).notes;
  let at = 0;
  const now = () => {
    at += 6000;
    return at;
  };
  const report = await certifyServer(await partner(), { ...credits, timeout_ms: 10_000 }, { now });
  expect(none).toBe(0);
  expect(report.notes).toContain('Warning: /creditPoints took 6000 ms, more than half of the time that is waited.');
  expect(idsWithVerdict(report, 'pass')).toEqual(['CRD-01']);
});

it('a reply that only breaks a rule about assumptions is a note, once for each operation', async () => {
  const server = await relayed(await partner(), async (_, forward) => {
    const [status, text] = await forward();
    return [status, text.replace(/("balance":\d+)/, '$1.0')];
  });
  const report = await certifyServer(server, credits);
  expect(report.notes).toEqual([
    expect.stringMatching(
      /^Warning: getProfileAndPoints \/body\/points\/balance: expected an integer without a fraction, such as 25000; found "\d+\.0" \(OP-140\)\.$/,
    ),
  ]);
  expect(idsWithVerdict(report, 'pass')).toEqual(['CRD-01']);
});

it('OP-101: a refusal with 402 where the guide recommends 422 is a note', async () => {
  const server = await relayed(await partner(), async (_, forward) => {
    const [status, text] = await forward();
    return [status === 422 ? 402 : status, text];
  });
  const report = await certifyServer(server, { only: ['DED-09'], customers: ['CUST0001'] });
  expect(report.notes).toContain(
    'Warning: saveRedeemDetails /status: expected 422, the recommended status of a refusal; found 402 (OP-101).',
  );
  expect(idsWithVerdict(report, 'pass')).toEqual(['DED-09']);
});
