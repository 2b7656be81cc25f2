/** Tests that a correct server meets every requirement in any order, with byte-identical verdicts, in less than a minute. */
import { expect, it } from 'vitest';
import type { Begun } from '../../sandbox/certification/run-plan.ts';
import { idsWithVerdict, startWholeRun } from './judged.ts';

/** Maximum duration of a whole run against a local server, in milliseconds. */
const mostMs = 60_000;

/** Requirements that a run without a sandbox, and with only two customers, does not check. */
const unchecked = ['OTP-18', ...Array.from({ length: 10 }, (_, at) => `CAL-${String(at + 1).padStart(2, '0')}`)];

/** Requirements that do not apply to the test server. */
const inapplicable = ['STA-23', 'ROB-19', 'ROB-20'];

it('whole runs pass under any seed: a seed determines the order, and the verdicts are byte-identical', async () => {
  const { run } = await startWholeRun();
  const seeds = ['a', 'a', 'b', 'c'];
  const runs = [];
  for (const seed of seeds) {
    const order: string[] = [];
    const began = performance.now();
    let mostCalls = 0;
    const begun = ({ calls }: Begun) => {
      mostCalls = calls;
    };
    const report = await run({ seed }, { begun, progress: ({ id }) => order.push(id) });
    const ms = performance.now() - began;
    runs.push({ report, order, ms, mostCalls, verdicts: JSON.stringify(report.verdicts) });
  }
  for (const { report, ms, mostCalls } of runs) {
    expect(report.failures).toEqual([]);
    expect(idsWithVerdict(report, 'not_selected')).toEqual(unchecked);
    expect([report.outcome, report.balances]).toEqual(['partial', 'restored']);
    expect(idsWithVerdict(report, 'not_applicable')).toEqual(inapplicable);
    expect(report.counts.pass).toBe(report.verdicts.length - inapplicable.length - unchecked.length);
    expect(report.calls).toBeLessThan(mostCalls);
    expect(ms).toBeLessThan(mostMs);
  }
  const [first, second, ...others] = runs;
  expect(second?.order).toEqual(first?.order);
  expect(new Set(runs.map(({ verdicts }) => verdicts)).size).toBe(1);
  for (const { order } of others) {
    expect(order).not.toEqual(first?.order);
    expect(order.toSorted()).toEqual(first?.order.toSorted());
  }
  expect(new Set(runs.map(({ order }) => order.join())).size).toBe(seeds.length - 1);
});
