/** Captures made by other tools (recorded/README.md), both clean and with one invalid request (OP-155, OP-156). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../sandbox/conformance/finding-collector.ts';
import { checkText as check } from './statements/check.ts';

const recorded = (file: string) => readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8');

/** Removes the last call, the invalid one, from a capture. HARs and newman exports have one line per call. */
function clean(text: string): string {
  const lines = text.trimEnd().split('\n');
  const [end = ''] = lines.slice(-1);
  const list = end.startsWith(']');
  const calls = list ? lines.slice(0, -2) : lines.filter((line) => !line.includes('limit=none'));
  return list ? `${calls.join('\n').replace(/,$/, '')}${end}` : calls.join('\n');
}

const whole = { messages: 0, bodies: 0, headers: 0, credentials: 0, replies: 0 };
/** The gaps of a call without a reply, because no server replied or the browser blocked the reply. */
const unanswered = { ...whole, messages: 1, replies: 1 };

type CaptureGaps = Report['incomplete'];

/** For each file, the number of calls checked, the number outside the APIs, and the capture gaps without and with the last call. */
const captures: readonly (readonly [
  string,
  checked: number,
  outside: number,
  cleanGaps: CaptureGaps,
  allGaps: CaptureGaps,
])[] = [
  ['chromium.har', 6, 1, unanswered, unanswered],
  [
    'chromium-sanitized.har',
    6,
    1,
    { ...unanswered, messages: 4, credentials: 3 },
    { ...unanswered, messages: 5, credentials: 4 },
  ],
  ['playwright-embed.har', 6, 0, unanswered, unanswered],
  ['firefox.har', 6, 1, { ...unanswered, messages: 2, replies: 2 }, { ...unanswered, messages: 2, replies: 2 }],
  ['mitmproxy.har', 5, 0, unanswered, unanswered],
  ['insomnia.har', 5, 0, unanswered, unanswered],
  ['newman.json', 5, 0, unanswered, unanswered],
  [
    'k6.json',
    5,
    0,
    { messages: 8, bodies: 6, headers: 7, credentials: 0, replies: 1 },
    { messages: 10, bodies: 7, headers: 9, credentials: 0, replies: 1 },
  ],
];

/** Returns the finding for the last call: points as a number, or an invalid limit if the tool stores no bodies. */
const wrong = (file: string) =>
  file === 'k6.json'
    ? [['request.query.type', 'error', 'caller', 'listRewards', '/query/limit', '"none"']]
    : [['request.body.type', 'error', 'caller', 'creditPoints', '/body/points', '24']];

describe('OP-156: a capture of', () => {
  it.each(captures)(
    '%s is read, and only its wrong request is a finding',
    async (file, checked, outside, cleanGaps, allGaps) => {
      const text = recorded(file);
      expect(await check(clean(text))).toMatchObject({
        exchanges: { checked: checked - 1, outside, unreadable: 0 },
        incomplete: cleanGaps,
        findings: [],
      });
      const { exchanges, incomplete, findings } = await check(text);
      expect(exchanges).toEqual({ checked, outside, unreadable: 0 });
      expect(incomplete).toEqual(allGaps);
      const rows = findings.map((one) => [one.code, one.severity, one.party, one.operation, one.pointer, one.actual]);
      expect(rows).toEqual(wrong(file));
      expect(findings).toMatchObject([{ times: 1 }]);
    },
  );

  it('newman and k6 has its own source in the report', async () => {
    expect([(await check(recorded('newman.json'))).source, (await check(recorded('k6.json'))).source]).toEqual([
      'newman',
      'k6',
    ]);
  });

  it.each(['playwright-omit.har', 'playwright-attach.har'])(
    'OP-155: %s has no bodies: they are capture gaps, not findings',
    async (file) => {
      const { exchanges, incomplete, findings, totals } = await check(recorded(file));
      expect({ exchanges, incomplete, findings, totals }).toEqual({
        exchanges: { checked: 6, outside: 0, unreadable: 0 },
        // Three requests and five replies. The sixth call was blocked.
        incomplete: { messages: 9, bodies: 8, headers: 0, credentials: 0, replies: 1 },
        findings: [],
        totals: { errors: 0, warnings: 0, notices: 0, not_kept: 0 },
      });
    },
  );
});
