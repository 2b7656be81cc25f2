/** The quota of an API key, and webhooks that come again. */
import type { TraceRule } from '../rule.ts';
import type { TraceEvent } from '../trace-event.ts';

const hour = 3_600_000;
const quota = 1000;

/**
 * A rule that a token is not used for more calls within an hour. Where the hour begins is not stated: within any 60 minutes
 * even hours that begin at the worst moment allow twice the quota.
 */
function callsAnHour(id: string, basis: string, most: number): TraceRule {
  return {
    id,
    basis,
    party: 'caller',
    *observe(trace) {
      const calls = trace.events.filter(
        ({ server, token, succeeded, span }) =>
          (server === 'rewards' || server === 'general') && token !== undefined && succeeded && span !== undefined,
      );
      for (const ofToken of Map.groupBy(calls, ({ server, token }) => `${server} ${token}`).values()) {
        const sorted = ofToken.toSorted((one, other) => startOf(one) - startOf(other));
        const over = sorted.findIndex((at, index) => {
          const first = sorted[index - most];
          return first !== undefined && startOf(at) - startOf(first) < hour;
        });
        const [at, first] = [sorted[over] ?? sorted.at(-1), sorted[over - most]];
        if (at === undefined) continue;
        const expected = `at most ${quota} calls per hour with one key`;
        const issue = { pointer: '/headers/authorization', expected, actual: `more than ${most} within 60 minutes` };
        yield over < 0 || first === undefined ? { at } : { at, with: [first], issue };
      }
    },
  };
}

function startOf({ span }: TraceEvent): number {
  return span?.start ?? 0;
}

export const limitTraceRules: readonly TraceRule[] = [
  callsAnHour('calls-an-hour', 'stated L1', 2 * quota),
  callsAnHour('calls-in-sixty-minutes', 'OP-30', quota),
  {
    id: 'one-message-for-a-webhook-id',
    basis: 'OP-26',
    party: 'caller',
    *observe(trace) {
      for (const [id, [first, ...others]] of trace.by('messageId', 'catalogueUpdated')) {
        if (first === undefined) continue;
        yield { at: first };
        for (const at of others) {
          if (first.facts.body === undefined || at.facts.body === undefined) continue;
          const issue = { pointer: '/headers/webhook-id', expected: 'a unique id, or the same body', actual: id };
          yield first.facts.body === at.facts.body ? { at, with: [first] } : { at, with: [first], issue };
        }
      }
    },
  },
];
