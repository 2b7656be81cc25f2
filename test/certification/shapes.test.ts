/** Tests that the reference client meets the requirements on reply formats. */
import { expect, it } from 'vitest';
import { certifyServer, idsOf, partner, verdicts } from './judged.ts';
import { startReference } from './reference.ts';

const group = 'shapes';

it('the reference client meets every requirement about shapes', async () => {
  const report = await (await startReference())({ only: [group] });
  expect(verdicts(report, group)).toEqual(Object.fromEntries(idsOf(group).map((id) => [id, 'pass'])));
  expect(report.balances).toBe('restored');
});

it('OP-16, OP-102: an empty object from creditPoints fails no mandatory requirement', async () => {
  const report = await certifyServer(await partner({ mistake: 'credit-done-empty' }), { only: [group, 'CRD-01'] });
  expect(report.verdicts.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    { id: 'SHP-08', level: 'should' },
  ]);
});

it('the envelope of a refusal with another status is not checked', async () => {
  const report = await certifyServer(await partner({ mistake: 'token-401' }), { only: [group] });
  expect(verdicts(report, group)).toMatchObject({
    'SHP-09': 'blocked',
    'SHP-10': 'not_applicable',
    'SHP-20': 'not_applicable',
  });
});
