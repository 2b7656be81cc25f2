/**
 * Whether verdicts hold for arbitrary traffic. Correct recordings have no errors in any style. A violation of the interface is an error of
 * the right party, with the right statement. A deviation from anything unstated is not an error.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { checkCapture } from '../../../sandbox/conformance/capture.ts';
import type { Finding } from '../../../sandbox/conformance/finding.ts';
import { inProcess } from '../../harness/command.ts';
import { temporaryFolder } from '../../harness/folders.ts';
import { sharedChecker } from '../../harness/proxy.ts';
import { scaled } from '../../harness/scale.ts';
import { checkText } from './check.ts';
import { conversation, worlds } from './conversations.ts';
import { deviations, unstated } from './deviations.ts';
import { exported, newmanExport } from './forms.ts';
import { golden } from './golden.ts';
import { operators } from './operators.ts';
import { type Call, harOf } from './recording.ts';
import { styleNames, writeDown } from './styles.ts';
import { varieties } from './variety.ts';

const servers = ['http://client-one.example', 'http://client-two.example'].map((url) => new URL(url));

async function errorsIn(style: string, calls: readonly Call[], complete: boolean): Promise<readonly Finding[]> {
  const options = { addresses: { client: servers }, complete };
  const { exchanges, findings } = await checkText(writeDown(style, calls), options);
  expect(exchanges.checked).toBeGreaterThan(5);
  return findings.filter(({ severity }) => severity === 'error');
}

const words = ({ operation, code, expected, actual, basis, party }: Finding) =>
  `${party} ${operation} ${code}: ${expected}, found ${actual} (${basis})`;

/**
 * Chooses the style for a mistake. Chrome omits credentials, and PHP sets a cookie that may be the token. Neither style can show that a
 * token is missing.
 */
function styleOf(title: string, index: number): string {
  const style = styleNames[index % styleNames.length] ?? '';
  return /no (token|JWT)/.test(title) && ['chrome', 'php'].includes(style) ? 'curl' : style;
}

/** Returns every n-th value of a list in the gate, and all values in the nightly suite. */
const some = <T>(all: readonly T[], step: number): readonly T[] =>
  all.filter((_, index) => index % scaled(step, 1) === 0);

const right = [
  ...varieties.map(({ title, make, partial = false }) => ({ title, make: () => make(golden()), complete: !partial })),
  ...Object.entries(worlds).flatMap(([title, beside]) => [
    { title, make: () => beside(golden(), golden()), complete: true },
    { title: `${title}, conversations`, make: () => beside(conversation(31), conversation(32)), complete: true },
  ]),
  ...Array.from({ length: 45 }, (_, seed) => ({
    title: `conversation ${seed}`,
    make: () => conversation(seed),
    complete: true,
  })),
];
const mistakes = [...deviations, ...operators.filter((_, index) => index % 3 === 0)].flatMap((make) => make(golden()));
const rows: string[] = [];

it('right recordings have no error, in any style', async () => {
  const wrong: string[] = [];
  let runs = 0;
  for (const [index, { title, make, complete }] of some(right, 7).entries()) {
    for (const style of scaled([styleNames[index % styleNames.length] ?? ''], styleNames)) {
      const errors = await errorsIn(style, make(), complete);
      runs += 1;
      wrong.push(...errors.map((error) => `${title}, ${style}: ${words(error)}`));
    }
  }
  rows.push(`right recordings: ${right.length}, runs: ${runs}, false errors: ${wrong.length}`);
  expect(wrong).toEqual([]);
  expect(runs).toBeGreaterThanOrEqual(scaled(10, 800));
});

it('what is stated and not done is an error of the right side, by its statement', async () => {
  const missed: string[] = [];
  const counts = { found: 0, 'another statement': 0, 'another side': 0, missed: 0 };
  const sample = some(mistakes, 9);
  for (const [index, { title, statements, party, calls }] of sample.entries()) {
    const style = styleOf(title, index);
    // Some of the mistakes are in the first of two workspaces.
    const made = index % 4 === 3 ? (worlds['two workspaces']?.(calls, golden()) ?? []) : calls;
    const errors = await errorsIn(style, made, true);
    const named = errors.filter(({ basis }) => statements.some((id) => basis.split(' ').includes(id)));
    const verdict = named.some((error) => error.party === party)
      ? 'found'
      : named.length > 0
        ? 'another side'
        : errors.length > 0
          ? 'another statement'
          : 'missed';
    counts[verdict] += 1;
    if (verdict !== 'found')
      missed.push(`${verdict}: ${statements.join(' ')} ${party} ${title}, ${style}: ${errors.map(words).join('; ')}`);
  }
  rows.push(`mistakes: ${sample.length} of ${mistakes.length}, ${JSON.stringify(counts)}`);
  expect(missed).toEqual([]);
  expect(mistakes.length).toBeGreaterThanOrEqual(150);
});

it('what is not stated is no error', async () => {
  const wrong: string[] = [];
  for (const [index, [title, make]] of Object.entries(unstated).entries()) {
    const style = styleNames[index % styleNames.length] ?? '';
    const errors = await errorsIn(style, make(golden()), true);
    wrong.push(...errors.map((error) => `${title}, ${style}: ${words(error)}`));
  }
  rows.push(`not stated: ${Object.keys(unstated).length}, false errors: ${wrong.length}`);
  process.stdout.write(`Verdicts:\n${rows.join('\n')}\n`);
  expect(wrong).toEqual([]);
});

it('an exported activity log shows balances and contradictions, unless its clock was frozen', async () => {
  const options = { version: '0.0.0', addresses: {}, complete: true };
  const read = (text: string) => checkCapture(Readable.from([text]), sharedChecker(), options);
  const wrong = mistakes.filter(({ title }) => /not deducted|then Rejected, which|balance is off by 1 /.test(title));
  for (const { title, statements, calls } of wrong) {
    const { report, orderGap } = await read(exported(calls));
    const bases = report.findings.filter(({ severity }) => severity === 'error').map(({ basis }) => basis);
    expect([title, orderGap, bases.some((basis) => statements.some((id) => basis.includes(id)))]).toEqual([
      title,
      undefined,
      true,
    ]);
  }
  const { report, orderGap } = await read(exported(golden(), true));
  expect([report.totals.errors, orderGap]).toEqual([0, expect.stringMatching(/frozen clock/)]);
});

it.each([
  [
    'a capture without times',
    () => harOf(golden().map((one) => ({ ...one, start: Number.NaN, end: Number.NaN }))),
    /and \d+ of \d+ have no time\./,
  ],
  ['an export of newman', () => newmanExport(golden()), /and an export of newman has only those that newman made\./],
])('check --complete exits with 3 and says why for %s', async (_, write, why) => {
  const file = join(await temporaryFolder(), 'calls.json');
  await writeFile(file, write());
  const { code, stderr } = await inProcess(['check', file, '--complete']).ended;
  expect([code, stderr]).toEqual([3, expect.stringMatching(/--complete needs all calls in order, /)]);
  expect(stderr).toMatch(why);
});
