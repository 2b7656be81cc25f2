/** Tests the dashboard's traffic lines: which log entries form a line, how lines are ordered, and what each line shows. */
import { expect, it, test } from 'vitest';
import type { components } from '../../generated/sandbox/types.ts';
import { failing } from '../harness/faults.ts';
import { inspect } from '../harness/inspecting.ts';
import { redeem, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { browserModule, open, screens } from './screens.ts';

type Entry = components['schemas']['ActivityList']['items'][number];
type Call = Extract<Entry, { method: string }>;
interface Line {
  readonly key: number;
  readonly entry: Entry;
  readonly caller: Call | undefined;
  readonly at: string;
  readonly begins: boolean;
  readonly took: number | undefined;
  readonly since: boolean;
}

const { rowsOf, tracesOf } = await browserModule<{
  tracesOf(entries: readonly Entry[]): readonly (readonly Line[])[];
  rowsOf(
    traces: readonly (readonly Line[])[],
    matches: (entry: Entry) => boolean,
  ): readonly (Line & { first: boolean; last: boolean })[];
}>('traffic/lines.ts');
const { length, lengthShare, sizeOf } = await browserModule<{
  length(milliseconds: number): string;
  lengthShare(milliseconds: number): number;
  sizeOf(body: unknown): string | undefined;
}>('figures.tsx');

const onScreen = screens({ width: 1440, height: 900 });

/** Creates a log entry with these fields, and with defaults for all others. */
function entry(seq: number, milliseconds: number, fields: object): Entry {
  const at = new Date(Date.UTC(2026, 0, 12) + milliseconds).toISOString();
  const common = { trace: 'one', party: 'client', uid: null, redeem_codes: [], kind: 'state', event: 'changed' };
  return { ...common, seq, at, ...fields } as unknown as Entry;
}
const call = (seq: number, milliseconds: number, kind: 'call_in' | 'call_out', fields: object = {}) =>
  entry(seq, milliseconds, { kind, method: 'POST', operation: 'save', request: null, status: 200, ...fields });

/** Returns the entry numbers of each line, grouped by trace. A line with both ends of a call has two numbers. */
const numbers = (entries: readonly Entry[]) =>
  tracesOf(entries).map((lines) => lines.map(({ entry: { seq }, caller }) => (caller ? [seq, caller.seq] : seq)));

test('OP-226: the two ends of a call form one line, and each attempt has its own', () => {
  const attempts = [1, 2, 3, 4].map((seq) => call(seq, seq, seq % 2 ? 'call_in' : 'call_out', { caller: 'sandbox' }));
  expect(`${numbers(attempts).map((lines) => lines.join('; '))}`).toEqual('1,2; 3,4');
  // The bodies show which ends of the two concurrent calls belong together.
  const bodies = [{ code: 'A' }, { code: 'B' }];
  const concurrentCalls = [
    call(1, 0, 'call_in', { request: bodies[0], caller: 'sandbox' }),
    call(2, 0, 'call_in', { request: bodies[1], caller: 'sandbox' }),
    call(3, 1, 'call_out', { request: bodies[1] }),
    call(4, 2, 'call_out', { request: bodies[0] }),
  ];
  expect(`${numbers(concurrentCalls).map((lines) => lines.join('; '))}`).toEqual('1,4; 2,3');
});

test('OP-226: an entry with a different trace, operation or party is not the other end, nor is an earlier entry', () => {
  const others = [{ trace: 'two' }, { operation: 'read' }, { party: 'platform' }, { method: 'GET' }];
  for (const other of others) {
    const lines = tracesOf([call(1, 0, 'call_in'), call(2, 0, 'call_out', other)]).flat();
    expect(lines.map(({ caller }) => caller)).toEqual([undefined, undefined]);
  }
  expect(numbers([call(1, 0, 'call_out'), call(2, 0, 'call_in')]).flat().length).toBe(2);
});

test('OP-226: the call that started a trace is its first line, and the trace with the latest entry is the first trace', () => {
  const log = [
    call(1, 10, 'call_in', { caller: 'sandbox' }),
    call(2, 12, 'call_out'),
    entry(3, 15, {}),
    call(4, 40, 'call_in', { party: 'platform', operation: 'order', caller: 'machine' }),
    entry(5, 50, { trace: 'two' }),
    entry(6, 2040, {}),
  ];
  expect(numbers(log)).toEqual([[4, [1, 2], 3, 6], [5]]);
  const [lines = []] = tracesOf(log);
  expect(lines.map(({ begins }) => begins)).toEqual([true, false, false, false]);
  // Times increase from line to line, although the log contains the first entry last.
  expect(lines.map(({ at }) => Date.parse(at) % 100_000)).toEqual([10, 10, 15, 2040]);
  // The call's duration spans from its first entry to its end. Each other duration is the time since the previous step in the log.
  expect(lines.map(({ took }) => took)).toEqual([30, undefined, 3, 2000]);
});

test('OP-226: every call has a duration by the clock of its caller, from its start if the log has it', () => {
  const began = (milliseconds: number) => new Date(Date.UTC(2026, 0, 12) + milliseconds).toISOString();
  const log = [
    call(1, 30, 'call_in', { began: began(20), caller: 'sandbox' }),
    call(2, 35, 'call_out', { began: began(10) }),
    entry(3, 40, {}),
    call(4, 50, 'call_in', { began: began(5), party: 'platform', operation: 'order', caller: 'machine' }),
  ];
  const [lines = []] = tracesOf(log);
  expect(lines.map(({ entry: { seq }, took, since }) => [seq, took, since])).toEqual([
    [4, 45, false],
    [1, 25, false],
    [3, 5, true],
  ]);
});

test('OP-226: in one trace, the newest 50 calls of an operation wait for their other end, and older ones stay single', () => {
  const calls = Array.from({ length: 60 }, (_, index) => call(index + 1, 0, 'call_in', { caller: 'sandbox' }));
  const ends = calls.map(({ seq }) => call(seq + 60, 1, 'call_out'));
  const lines = tracesOf([...calls, ...ends]).flat();
  const singleCalls = lines.filter(({ entry: { kind }, caller }) => kind === 'call_in' && caller === undefined);
  expect(singleCalls.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('OP-226: a filter that matches either end of a call includes it, and rows mark the first and last line of a trace', () => {
  const traces = tracesOf([call(1, 0, 'call_in'), call(2, 0, 'call_out'), entry(3, 0, {}), entry(4, 0, {})]);
  const rows = rowsOf(traces, ({ kind, seq }) => kind === 'call_out' || seq === 4);
  expect(rows.map(({ key, first, last }) => [key, first, last])).toEqual([
    [1, true, false],
    [4, false, true],
  ]);
});

test('OP-226: 10,000 entries become lines in less than a second, in one trace or in many', () => {
  for (const traces of [1, 100, 10_000]) {
    const log = Array.from({ length: 10_000 }, (_, index) =>
      call(index + 1, index, index % 2 === 0 ? 'call_in' : 'call_out', { trace: `${(index >> 1) % traces}` }),
    );
    const start = performance.now();
    const lines = tracesOf(log).flat();
    expect(performance.now() - start).toBeLessThan(1000);
    expect(lines.length).toBe(5000);
  }
});

test('OP-226: durations and sizes are short, and bars distinguish 5 ms from 5 s', () => {
  expect([0, 999, 2449, 61_000, 7_300_000].map(length)).toEqual(['0 ms', '999 ms', '2.4 s', '1 min', '2 h']);
  expect([0, 5, 5000, 60_000, 1e9].map(lengthShare)).toEqual([0, 16, 77, 100, 100]);
  const bodies = [
    null,
    undefined,
    { a: 'ü' },
    'x'.repeat(2100),
    { omitted: '5000 bytes, not read' },
    { omitted: 'it' },
  ];
  expect(bodies.map(sizeOf)).toEqual([undefined, undefined, '10 B', '2.1 KB', '5.0 KB', '16 B']);
});

it('OP-226: an order is its own trace with its call first, and has method, duration, size and both ends', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  await failing(sandbox, { target: 'saveRedeemDetails', fault: 'lost_reply', times: 1 });
  await redeem(sandbox, { line_items: [voucher], uid: 'CUST0007' });
  await onScreen(sandbox, '/traffic', async (page) => {
    const first = page.locator('.windowed > li');
    await first.first().waitFor();
    const texts = (await first.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').replace(/^\S+ /, ''));
    const code = /RDM-\S+/.exec(texts[0] ?? '')?.[0];
    expect(texts.slice(0, 7)).toEqual([
      expect.stringMatching(`^POST createRedemptionOrder CUST0007 ${code} this machine → platform 0 ms \\d+ B 200$`),
      expect.stringMatching(/^POST getProfileAndPoints CUST0007 platform → client 0 ms \d+ B 200$/),
      `change order.placing CUST0007 ${code} platform`,
      `change redemption.deducted CUST0007 ${code} client`,
      `POST saveRedeemDetails CUST0007 ${code} platform → client 0 ms no response`,
      expect.stringMatching(`^POST saveRedeemDetails CUST0007 ${code} platform → client 0 ms \\d+ B 200$`),
      `change order.placed CUST0007 ${code} platform`,
    ]);
    expect(await first.nth(0).getAttribute('class')).toBe('first');
    expect(await first.nth(6).getAttribute('class')).toBe('last');
    // The seventh line is the state change caused by setting the fault.
    expect(await page.locator('.within').count()).toBe(7);
    expect(await inspect(page, 'dashboard-traffic-trace')).toEqual([]);
    // The URL of either end opens the line that combines both.
    const { items } = ok(await control.GET('/activity'));
    const ends = items.filter((one) => 'operation' in one && one.operation === 'saveRedeemDetails').slice(0, 2);
    expect(ends.map(({ kind }) => kind)).toEqual(['call_in', 'call_out']);
    for (const { seq } of ends) {
      await open(page, sandbox, `/traffic?seq=${seq}`);
      await page.locator('.panel').getByText('fault FLT-000001: lost_reply').waitFor();
      await page.locator('.panel').getByText('ECONNRESET').waitFor();
      expect(await page.locator('.row[aria-current]').getAttribute('href')).toMatch(new RegExp(`seq=${ends[0]?.seq}$`));
    }
  });
}, 60_000);
