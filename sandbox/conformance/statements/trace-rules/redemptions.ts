/** The life of a redemption, as the platform reports it to the client. */
import { callerTraceRule, hostTraceRule, type Observation, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

interface Redemption {
  readonly code: string;
  readonly records: readonly TraceEvent[];
  readonly updates: readonly TraceEvent[];
}

/** Every redemption of the recording with its records and its status updates. */
export function* redemptions(trace: Trace): Generator<Redemption> {
  const records = trace.by('redeemCode', 'saveRedeemDetails');
  const updates = trace.by('redeemCode', 'updateRedeemStatus');
  for (const code of new Set([...records.keys(), ...updates.keys()])) {
    yield { code, records: records.get(code) ?? [], updates: updates.get(code) ?? [] };
  }
}

/** The updates with a status that the client took. */
function accepted(updates: readonly TraceEvent[], ...statuses: readonly string[]): readonly TraceEvent[] {
  return updates.filter(({ succeeded, facts }) => succeeded && statuses.includes(facts.reported ?? ''));
}

/** A rule that no record arrives once its redemption has ended in this way. */
function noRecordAfter(id: string, basis: string, end: string): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    for (const { records, updates } of redemptions(trace)) {
      const ends = accepted(updates, end);
      for (const at of records) {
        const earlier = ends.find((update) => trace.isBefore(update, at));
        const issue = {
          pointer: '/body/redeemStatus',
          expected: `no record after ${end}`,
          actual: at.facts.reported,
        };
        if (earlier !== undefined) yield { at, with: [earlier], issue };
        else if (ends.some((update) => trace.isBefore(at, update))) yield { at, with: ends.slice(0, 1) };
      }
    }
  });
}

export const redemptionTraceRules: readonly TraceRule[] = [
  callerTraceRule('redeem-code-unique', 'stated R13', function* (trace) {
    for (const { records } of redemptions(trace)) {
      const [first, ...others] = records;
      if (first === undefined) continue;
      yield { at: first };
      for (const at of others) {
        const differs = (['product', 'quantity', 'total', 'points'] as const).find((name) =>
          different(first.facts[name], at.facts[name]),
        );
        const changed = different(first.uid, at.uid) ? 'uid' : differs;
        const expected = 'a unique code, or the same record again';
        const issue = {
          pointer: '/body/redeemCode',
          expected,
          actual: `the code of a record with another ${changed}`,
        };
        yield changed === undefined ? { at, with: [first] } : { at, with: [first], issue };
      }
    }
  }),
  noRecordAfter('no-record-after-delivered', 'stated G14 S4', 'Delivered'),
  noRecordAfter('no-record-after-rejected', 'stated G14 S6', 'Rejected'),
  callerTraceRule('status-follows-its-record', 'stated S4 S6', function* (trace) {
    for (const { records, updates } of redemptions(trace)) {
      for (const at of updates) {
        const first = records[0];
        const expected = 'a redemption whose record was sent earlier';
        const issue = { pointer: '/body/redeemCode', expected, actual: 'a redemption whose record was not sent' };
        if (records.some((record) => trace.isBefore(record, at))) yield { at, with: records.slice(0, 1) };
        else if (trace.complete && first === undefined && at.succeeded)
          yield { at, issue, absent: ['saveRedeemDetails'] };
      }
    }
  }),
  callerTraceRule('final-status-stands', 'stated S4 S5 S6', function* (trace) {
    for (const { updates } of redemptions(trace)) {
      const delivered = accepted(updates, 'Delivered');
      const rejected = accepted(updates, 'Rejected');
      const ends = [...delivered, ...rejected].sort((one, other) => one.number - other.number);
      const [first, last] = [ends[0], ends.at(-1)];
      if (first === undefined || last === undefined) continue;
      const expected = `${first.facts.reported}, the final status reported earlier`;
      const at = ends.find(({ facts }) => facts.reported !== first.facts.reported) ?? last;
      const issue = { pointer: '/body/status', expected, actual: at.facts.reported };
      yield at.facts.reported === first.facts.reported ? { at: last } : { at, with: [first], issue };
    }
  }),
  callerTraceRule('no-pending-after-the-end', 'stated S4 S6', function* (trace) {
    for (const { updates } of redemptions(trace)) {
      const ends = accepted(updates, 'Delivered', 'Rejected');
      for (const at of accepted(updates, 'Pending')) {
        const end = ends.find((one) => trace.isBefore(one, at));
        const expected = `no Pending, since ${end?.facts.reported} was reported earlier`;
        if (end !== undefined)
          yield { at, with: [end], issue: { pointer: '/body/status', expected, actual: 'Pending' } };
        else yield { at };
      }
    }
  }),
  callerTraceRule('update-names-the-project', 'OP-122', function* (trace) {
    for (const { records, updates } of redemptions(trace)) {
      for (const at of updates) yield* sameProject(at, records, '/body/projectCode', 'of its record');
    }
  }),
  callerTraceRule('record-names-the-project', 'OP-122', function* (trace) {
    const profiles = trace.byCustomer('getProfileAndPoints');
    for (const at of trace.of('saveRedeemDetails'))
      yield* sameProject(at, profiles.get(at.uid ?? '') ?? [], '/body/scheme', "of the customer's profile");
  }),
  answeredAlike('record-answered-alike', 'OP-23', 'redeemCode', 'saveRedeemDetails', 'updateRedeemStatus'),
  answeredAlike('update-answered-alike', 'OP-21', 'redeemCode', 'updateRedeemStatus'),
  answeredAlike('credit-answered-alike', 'OP-16', 'transactionId', 'creditPoints'),
];

function different(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function* sameProject(
  at: TraceEvent,
  earlier: readonly TraceEvent[],
  pointer: string,
  whose: string,
): Generator<Observation> {
  const projects = new Set(earlier.map(({ facts }) => facts.project).filter((project) => project !== undefined));
  const [project] = projects;
  if (projects.size !== 1 || at.facts.project === undefined) return;
  const issue = { pointer, expected: `"${project}", the code ${whose}`, actual: at.facts.project };
  yield at.facts.project === project ? { at, with: earlier.slice(0, 1) } : { at, with: earlier.slice(0, 1), issue };
}

/** A rule that a call which was answered with success is not refused when it comes again. */
function answeredAlike(
  id: string,
  basis: string,
  key: 'redeemCode' | 'transactionId',
  operation: string,
  ending?: string,
): TraceRule {
  return hostTraceRule(id, basis, function* (trace) {
    const ended = ending === undefined ? undefined : trace.by(key, ending);
    for (const [code, calls] of trace.by(key, operation)) {
      // What was rejected in between may be refused.
      if (ended?.get(code)?.some(({ facts }) => facts.reported !== 'Pending')) continue;
      for (const at of calls) {
        const same = calls.find((one) => one.succeeded && one.facts.body === at.facts.body && trace.isBefore(one, at));
        if (same === undefined || at.status === undefined) continue;
        const issue = { pointer: '/status', expected: 'success, as for the same call earlier', actual: at.status };
        const refused = at.status >= 400 && at.status < 500 && at.facts.message !== 'Token Invalid';
        yield refused ? { at, with: [same], issue } : { at, with: [same] };
      }
    }
  });
}
