/**
 * A recording has the same findings in every form: HAR, newman export, access log, activity log export, or proxied traffic. The test lists
 * findings that a form cannot show, with the reason, and asserts that they are absent.
 */
import { expect, it } from 'vitest';
import type { Report } from '../../../sandbox/conformance/finding-collector.ts';
import { scaled } from '../../harness/scale.ts';
import { conversation } from './conversations.ts';
import { deviations } from './deviations.ts';
import { forms } from './forms.ts';
import { golden } from './golden.ts';
import { operators } from './operators.ts';
import type { Call } from './recording.ts';

const mistakes = [...deviations, ...operators].flatMap((make) => make(golden()));

/** Returns the first mistake with these words in its title. */
function mistake(words: string): readonly [string, readonly Call[]] {
  const { title, calls } = mistakes.find((one) => one.title.includes(words)) ?? { title: '', calls: [] };
  return [title, calls];
}

/** Correct and incorrect recordings. The gate checks only the first ones. */
const recordings: readonly (readonly [string, readonly Call[]])[] = [
  ['every journey, without a mistake', golden()],
  mistake('not credited'),
  mistake('a bare token'),
  mistake('never went to the client'),
  ['a conversation without a mistake', conversation(7)],
  mistake('an empty body, answered wrongly (0)'),
  mistake('is Delivered, then Pending, which the client refuses'),
  mistake('a balance is off by 500 (conversation 15)'),
  mistake('another quantity'),
  mistake('a page before the one that offers its cursor (5)'),
];

/** Findings that a form cannot show, and the reason. */
const hidden: Readonly<Record<string, { readonly why: string; readonly codes: RegExp }>> = {
  newman: {
    why: 'it has only the calls of the tool, so none is missing, and points may move beside them',
    codes: /\.trace\.(order-goes-to-the-client|[a-z-]+-the-balance|reversal-before-the-response) /,
  },
  'activity log': { why: 'it masks tokens', codes: /\.trace\.[a-z-]+-token-issued-first / },
};

function findingsOf({ findings }: Report): readonly string[] {
  const reported = findings.filter(({ severity }) => severity !== 'notice');
  return reported
    .map(({ severity, party, operation, code, pointer, basis }) => [severity, party, operation, code, pointer, basis])
    .map((parts) => parts.join(' '))
    .toSorted();
}

it('a recording has the same findings in each of five forms', async () => {
  const rows: string[] = [];
  const differing: string[] = [];
  for (const [title, calls] of recordings.slice(0, scaled(3, recordings.length))) {
    expect(calls.length, title).toBeGreaterThan(5);
    const { HAR, ...others } = Object.fromEntries(
      await Promise.all(Object.entries(forms).map(async ([form, check]) => [form, findingsOf(await check(calls))])),
    ) as Readonly<Record<string, readonly string[]>>;
    const cells = Object.entries(others).map(([form, found]) => {
      const { why, codes } = hidden[form] ?? {};
      const shown = (HAR ?? []).filter((one) => codes?.test(one) !== true);
      if (String(found) !== String(shown)) differing.push(`${title}, ${form}: ${found.join('; ')}`);
      return `${form} ${found.length}${shown.length === HAR?.length ? '' : ` (${why})`}`;
    });
    rows.push([`${title}: HAR ${HAR?.length}`, ...cells].join(', '));
  }
  process.stdout.write(`Findings by form:\n${rows.join('\n')}\n`);
  expect(differing).toEqual([]);
});
