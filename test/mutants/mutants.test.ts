/** The planting of mutants is itself tested: a run that sees everything would prove nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Copy, root } from './copy.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { jsonReport, table } from './report.ts';
import { ListError, stale, tryMutants, withoutTest } from './run.ts';
import { judge, type TestResult, type TestRun } from './verdict.ts';

const ledger = {
  title: 'The balance is wrong',
  file: 'sandbox/domain/ledger.ts',
  find: 'return account.totalEarned - account.totalRedeemed;',
  replace: 'return account.totalEarned;',
  tests: ['test/domain/ledger.test.ts'],
  killedBy: 'the balance is what was earned less what was redeemed',
} satisfies Omit<Mutant, 'id'>;

describe('the list of mutants', () => {
  test('each mutant fits the code: its text is there exactly once, its files exist, its id is its own', () => {
    expect(stale(mutants)).toEqual([]);
  });

  test('each mutant names a test that there is', async () => {
    expect(await withoutTest(root, mutants)).toEqual([]);
  });

  test('a mutant whose text was changed, whose files are gone or whose id is taken is named', async () => {
    const list = [
      { ...ledger, id: 'rewritten', find: 'return account.earned;' },
      { ...ledger, id: 'twice', find: 'return undefined;' },
      { ...ledger, id: 'moved', file: 'sandbox/domain/books.ts', tests: ['test/domain/books.test.ts'] },
      { ...ledger, id: 'same' },
      { ...ledger, id: 'same' },
    ];
    const complaints = [
      'rewritten: the text to replace is not in sandbox/domain/ledger.ts exactly once',
      'twice: the text to replace is not in sandbox/domain/ledger.ts exactly once',
      'moved: there is no file sandbox/domain/books.ts',
      'moved: there is no file test/domain/books.test.ts',
      'same: the id is used twice',
    ];
    expect(stale(list)).toEqual(complaints);
    await expect(tryMutants(list)).rejects.toThrow(new ListError(complaints.join('\n')));
  });

  test('a mutant whose test has another title by now is named', async () => {
    const lost = { ...ledger, id: 'lost', killedBy: 'the balance is right' };
    await expect(tryMutants([lost])).rejects.toThrow(new ListError('lost: no test is called "the balance is right"'));
  });
});

describe('a run with a mutant', () => {
  const passed = { title: 'orders are taken', passed: true, late: false };
  const failed = { title: 'points are deducted once', passed: false, late: false };
  const other = { title: 'points are shown', passed: false, late: false };
  const run = (...tests: TestResult[]): TestRun => ({ ended: 'by itself', tests, broken: [] });
  const mutant = { killedBy: 'deducted once' };

  test.each([
    { come: run(passed, failed), outcome: 'killed', names: [failed.title] },
    { come: run(passed, failed, other), outcome: 'killed', names: [failed.title, other.title] },
    { come: run(passed, { ...failed, passed: true }), outcome: 'survived', names: [] },
    { come: run(passed, other), outcome: 'killed by another test', names: [other.title] },
    { come: run(passed, { ...failed, late: true }), outcome: 'timed out', names: [failed.title] },
    { come: run(failed, other), outcome: 'crashed', names: [failed.title, other.title] },
    {
      come: { ...run(passed, failed), broken: ['a.test.ts: no such name'] },
      outcome: 'crashed',
      names: ['a.test.ts: no such name'],
    },
    { come: { ended: 'timed out' }, outcome: 'timed out', names: [] },
  ] as const)('is $outcome with $names', ({ come, outcome, names }) => {
    expect(judge(mutant, come)).toEqual({ outcome, failed: names });
  });

  test('a time-out counts as killed only where the mutant says so', () => {
    const hanging = { ...mutant, hangs: true as const };
    expect(judge(hanging, { ended: 'timed out' })).toEqual({ outcome: 'killed', failed: [] });
    expect(judge(hanging, run(passed, { ...failed, late: true }))).toEqual({
      outcome: 'killed',
      failed: [failed.title],
    });
  });
});

test('of a run, one mutant is killed, one survives, one is killed by another test, one breaks the code, one hangs', async () => {
  const list = [
    { ...ledger, id: 'killed' },
    { ...ledger, id: 'harmless', replace: `${ledger.find} // It says the same.` },
    { ...ledger, id: 'elsewhere', killedBy: 'it shows the three numbers', find: ' || entry.points < 0', replace: '' },
    { ...ledger, id: 'no-code', replace: 'return (;' },
    { ...ledger, id: 'for-ever', replace: 'while (true) {}' },
  ];
  const tried = await tryMutants(list, { limitSeconds: 8 });
  expect(tried.map(({ mutant, outcome }) => [mutant.id, outcome])).toEqual([
    ['killed', 'killed'],
    ['harmless', 'survived'],
    ['elsewhere', 'killed by another test'],
    ['no-code', 'crashed'],
    ['for-ever', 'timed out'],
  ]);
  expect(table(tried)).toContain('1 of 5 mutants killed');
  expect(JSON.parse(jsonReport(tried))).toMatchObject({ tried: 5, killed: 1 });
});

test('a mutant is in the copy only, only while something is done with it, and the copy is gone in the end', async () => {
  const mutant = { ...ledger, id: 'killed' };
  const sound = readFileSync(join(root, mutant.file), 'utf8');
  const copy = await Copy.make();
  const mutated = () => readFileSync(join(copy.folder, mutant.file), 'utf8');
  const texts = await copy.with(mutant, async () => [mutated(), readFileSync(join(root, mutant.file), 'utf8')]);
  expect(texts).toEqual([sound.replace(mutant.find, mutant.replace), sound]);
  await expect(copy.with(mutant, () => Promise.reject(new Error('the run failed')))).rejects.toThrow('the run failed');
  expect(mutated()).toBe(sound);
  await copy.remove();
  expect(existsSync(copy.folder)).toBe(false);
});
