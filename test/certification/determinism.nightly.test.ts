/** A right server under every requirement: all hold, in any order, with the same verdicts to the byte, in less than a minute. */
import { expect, it } from 'vitest';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import { mostCalls } from '../../sandbox/certification/run-plan.ts';
import type { Input, RequirementVerdict } from '../../sandbox/certification/verdict.ts';
import { having, wholly } from './judged.ts';

/** What a whole run takes at most against a server on the same machine, in milliseconds. */
const mostMs = 60_000;

/** What a run does not check that has neither a sandbox to be called nor a gateway to read each code from. */
const unasked = ['OTP-18', ...Array.from({ length: 10 }, (_, at) => `CAL-${String(at + 1).padStart(2, '0')}`)];

/** What does not apply to the server of the tests. */
const inapplicable = ['STA-23', 'ROB-19', 'ROB-20'];

/** What such a run is asked for, as far as its calls follow from it. */
const whole: Input = {
  client_url: 'http://127.0.0.1',
  service_token: 'token',
  basic: 'user:password',
  api: 'both',
  customers: ['ANN', 'BOB'],
  otp: { gateway: true },
  slow: true,
};

it('whole runs hold under any seed: one seed has one order, another has another, and the verdicts are the same to the byte', async () => {
  const { run } = await wholly();
  const seeds = ['a', 'a', 'b', 'c'];
  const runs = [];
  for (const seed of seeds) {
    const order: string[] = [];
    const began = performance.now();
    const report = await run({ seed }, { progress: ({ id }: RequirementVerdict) => order.push(id) });
    runs.push({ report, order, ms: performance.now() - began, verdicts: JSON.stringify(report.verdicts) });
  }
  for (const { report, ms } of runs) {
    expect(report.failures).toEqual([]);
    expect(having(report, 'not_selected')).toEqual(unasked);
    expect([report.outcome, report.books]).toEqual(['partial', 'even']);
    expect(having(report, 'not_applicable')).toEqual(inapplicable);
    expect(report.counts.pass).toBe(report.verdicts.length - inapplicable.length - unasked.length);
    expect(report.calls).toBeLessThan(mostCalls(whole, loadRequirements()));
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
