/** The requirements about what replies look like: a right server holds them, and each mistake fails those that are about it. */
import { expect, it } from 'vitest';
import { caughtIn } from './caught/caught.ts';
import { failed, idsOf, judged, partner, verdicts } from './judged.ts';
import { startedReference } from './reference.ts';

const group = 'shapes';

it('the reference client holds every requirement about shapes', async () => {
  const report = await (await startedReference())({ only: [group] });
  expect(verdicts(report, group)).toEqual(Object.fromEntries(idsOf(group).map((id) => [id, 'pass'])));
  expect(report.books).toBe('even');
});

it.each(caughtIn('SHP'))('a server with the mistake %s fails %j and no others about shapes', async (mistake, ids) => {
  const report = await judged(await partner({ mistake }), { only: [group] });
  expect(failed(report)).toEqual(ids);
  expect(report.counts.suite_error).toBe(0);
});

it('OP-16, OP-102: no must fails where creditPoints answers with an empty object', async () => {
  const report = await judged(await partner({ mistake: 'credit-done-empty' }), { only: [group, 'CRD-01'] });
  expect(report.verdicts.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    { id: 'SHP-08', level: 'should' },
  ]);
});

it('a refusal by another status has no envelope to be held against', async () => {
  const report = await judged(await partner({ mistake: 'token-401' }), { only: [group] });
  expect(verdicts(report, group)).toMatchObject({
    'SHP-09': 'blocked',
    'SHP-10': 'not_applicable',
    'SHP-20': 'not_applicable',
  });
});
