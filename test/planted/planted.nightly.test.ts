/**
 * Whether the tests can see: each planted defect has to fail the test that it names
 * (docs/decisions/033-planted-defects.md).
 */
import process from 'node:process';
import { beforeAll, expect, test } from 'vitest';
import { defects } from './defects.ts';
import { lineOf } from './report.ts';
import { type Tried, tryDefects } from './run.ts';

const tried = new Map<string, Tried>();

beforeAll(async () => {
  const tell = (one: Tried) => {
    tried.set(one.defect.id, one);
    process.stderr.write(`${tried.size}/${defects.length} ${lineOf(one)}\n`);
  };
  // The short suite, which runs before this one, has all of their tests.
  await tryDefects(defects, { tell, isSound: true });
}, 1_800_000);

test.each(defects)('$id: "$title" fails "$seenBy"', ({ id, seenBy }) => {
  expect(tried.get(id)).toMatchObject({
    outcome: 'seen',
    failed: expect.arrayContaining([expect.stringContaining(seenBy)]),
  });
});
