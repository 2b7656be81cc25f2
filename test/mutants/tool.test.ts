/** The tool on a project of one source file: a tool that finds every mutant killed would prove nothing. */
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import type { Mutant } from './mutant.ts';
import { plan } from './plan.ts';
import { root } from './project-copy.ts';
import { lineOf, summary } from './report.ts';
import { ListError, testMutants } from './run.ts';

const account = `export class Account {
  balance(earned: number, spent: number): number {
    return Math.max(
      earned - spent, // refunds may come late
      0,
    );
  }
}

export async function unit(): Promise<string> {
  return 'points';
}
`;

const files = {
  'sandbox/account.ts': account,
  'test/vitest.config.ts': 'export default {};\n',
  'test/account.test.ts': `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Account, unit } from '../sandbox/account.ts';

test('the balance is earned less spent points', () => expect(new Account().balance(5, 2)).toBe(3));
test('a balance is never negative', () => expect(new Account().balance(2, 5)).toBe(0));
test('the page shows the source', () => expect(readFileSync('sandbox/account.ts', 'utf8')).toContain('points'));
test('the unit ends', async () => void (await unit()));
`,
  'test/unit.test.ts': `import { expect, test } from 'vitest';
import { unit } from '../sandbox/account.ts';

test('the unit is points', async () => expect(await unit()).toBe('points'));
`,
};

const balance = {
  ...{ id: 'killed', title: 'The balance is wrong', target: 'sandbox/account.ts:Account.balance' },
  ...{ find: 'Math.max(earned - spent, 0)', replace: 'Math.max(earned - spent + 1, 0)' },
  killedBy: 'the balance is earned less spent points',
} satisfies Mutant;
const unit = {
  ...{
    id: 'unit',
    title: 'The unit is wrong',
    target: 'sandbox/account.ts:unit',
    find: "'points'",
    replace: "'euros'",
  },
  killedBy: 'the unit is points',
} satisfies Mutant;

let folder: string;
const file = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await temporaryFolder();
  for (const each of ['sandbox', 'test']) await mkdir(file(each));
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text);
  await symlink(join(root, 'node_modules'), file('node_modules'));
});

test('each mutant of a run has its own outcome, and the run leaves the code unchanged', async () => {
  const list: Mutant[] = [
    balance,
    { ...balance, id: 'harmless', replace: 'Math.max(0, earned - spent)' },
    { ...balance, id: 'elsewhere', replace: '(earned - spent)' },
    { ...balance, id: 'no-code', replace: '(;' },
    { ...unit, id: 'in-memory', killedBy: 'the page shows the source' },
    { ...unit, id: 'on-disk', killedBy: 'the page shows the source', onDisk: true },
  ];
  const tested = await testMutants(list, { folder, workers: 1 });
  expect(tested.map(({ mutant, outcome, failed }) => [mutant.id, outcome, ...failed])).toEqual([
    ['killed', 'killed', balance.killedBy],
    ['harmless', 'survived'],
    ['elsewhere', 'killed by another test', 'a balance is never negative'],
    ['no-code', 'crashed', expect.stringContaining('account.ts')],
    ['in-memory', 'survived'],
    ['on-disk', 'killed', 'the page shows the source'],
  ]);
  expect(await readFile(file('sandbox/account.ts'), 'utf8')).toBe(account);
  expect(summary(tested)).toBe('6 mutants: 2 killed, 2 survived, 1 killed by another test, 1 crashed\n');
  expect(lineOf({ ...tested[2], seconds: 1 } as (typeof tested)[0])).toBe(`killed by another test   1.0 s  elsewhere
      The balance is wrong
      must fail: "the balance is earned less spent points"
      failed: a balance is never negative`);
});

test('a mutant that hangs is ended at the limit', async () => {
  const hanging = { ...unit, replace: 'await new Promise(() => {})', killedBy: 'the unit ends', hangs: true as const };
  expect(await testMutants([hanging], { folder, workers: 1, limitSeconds: 1 })).toMatchObject([{ outcome: 'killed' }]);
});

test('tests that fail without a mutant stop the run', async () => {
  await writeFile(file('sandbox/account.ts'), account.replace('earned - spent', 'earned - spent + 1'));
  const list = [{ ...balance, find: 'Math.max' }];
  await expect(testMutants(list, { folder, workers: 1, baseline: true })).rejects.toThrow(
    new ListError('tests fail without a mutant:\nthe balance is earned less spent points'),
  );
});

test('a mutant follows its declaration and its test to other files', async () => {
  await rename(file('sandbox/account.ts'), file('sandbox/ledger.ts'));
  await rename(file('test/account.test.ts'), file('test/account.nightly.test.ts'));
  expect(plan([{ ...balance, tests: ['test/account.test.ts'] }], folder)).toMatchObject({
    planned: [{ place: { file: 'sandbox/ledger.ts' }, tests: ['test/account.nightly.test.ts'] }],
    complaints: [],
  });
});

test.each([
  {
    changed: { target: 'sandbox/account.ts:Ledger.balance' },
    reason: `sandbox/account.ts:Ledger.balance has no "${balance.find}", but ${balance.target} has`,
  },
  {
    changed: { find: 'Math.min(' },
    reason: `${balance.target} has no "Math.min("; the nearest line is: return Math.max(`,
  },
  { changed: { find: 'earned' }, reason: `"earned" is found 2 times in ${balance.target}` },
  {
    changed: { killedBy: 'a balance is not negative' },
    reason: `no test is called "a balance is not negative"; the nearest line is: test('a balance is never negative', () => expect(new Account().balance(2, 5)).toBe(0));`,
  },
  { changed: { killedBy: 'test' }, reason: 'the test "test" may be in any of test/account.test.ts, test/unit.test.ts' },
])('a mutant with $changed does not fit, and the complaint names the nearest match', ({ changed, reason }) => {
  expect(plan([{ ...balance, ...changed }], folder).complaints).toEqual([`killed: ${reason}`]);
});

test('two mutants with the same id are reported', () => {
  expect(plan([balance, balance], folder).complaints).toEqual(['killed: the id is used twice']);
});
