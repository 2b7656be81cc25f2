/** Rules for the lifecycle of a redemption, as the platform reports it to the client. */
import { callerTraceRule, hostTraceRule, type Observation, observe, observeSame, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

/** Yields the records and the status updates of every redemption of the recording. */
function* redemptions(trace: Trace) {
  const records = trace.by('redeemCode', 'saveRedeemDetails');
  const updates = trace.by('redeemCode', 'updateRedeemStatus');
  for (const code of new Set([...records.keys(), ...updates.keys()])) {
    yield { records: records.get(code) ?? [], updates: updates.get(code) ?? [] };
  }
}

/** Returns the updates with one of these statuses that the client accepted. */
function accepted(updates: readonly TraceEvent[], ...statuses: readonly string[]): readonly TraceEvent[] {
  return updates.filter(({ succeeded, facts }) => succeeded && statuses.includes(facts.reported ?? ''));
}

/** Creates a rule that a status may be reported only for a redemption whose record was sent earlier. */
function followsRecord(id: string, basis: string, status: string): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    for (const { records, updates } of redemptions(trace)) {
      for (const at of updates.filter(({ facts }) => facts.reported === status)) {
        const isLater = records.some((record) => trace.isBefore(record, at));
        const texts = ['a redemption whose record was sent earlier', 'a redemption whose record was not sent'] as const;
        if (isLater || (trace.complete && records.length === 0 && at.succeeded))
          yield observe(at, [], isLater, '/body/redeemCode', ...texts, ['saveRedeemDetails']);
      }
    }
  });
}

/** Creates a rule that no other status may follow the first final status that the client accepted, whatever the client replies. */
function isFinal(id: string, basis: string, status: 'Delivered' | 'Rejected'): TraceRule {
  const opposite = status === 'Delivered' ? 'Rejected' : 'Delivered';
  return callerTraceRule(id, basis, function* (trace) {
    for (const { updates } of redemptions(trace)) {
      const [first, ...more] = accepted(updates, 'Delivered', 'Rejected');
      if (first?.facts.reported !== status) continue;
      const others = updates.filter(({ facts }) => facts.reported === 'Pending' || facts.reported === opposite);
      const at = others.find((one) => trace.isBefore(first, one) || more.includes(one));
      const expected = `${status}, the final status reported earlier`;
      yield observe(at ?? first, [first], at === undefined, '/body/status', expected, at?.facts.reported);
    }
  });
}

/** Creates a rule that no record may follow this final status of its redemption. */
function noRecordAfter(id: string, basis: string, end: string): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    for (const { records, updates } of redemptions(trace)) {
      const ends = accepted(updates, end);
      for (const at of records) {
        const earlier = ends.find((update) => trace.isBefore(update, at));
        const issue = ['/body/redeemStatus', `no record after ${end}`, at.facts.reported] as const;
        if (earlier !== undefined) yield observe(at, [earlier], false, ...issue);
        else if (ends.some((update) => trace.isBefore(at, update))) yield { at };
      }
    }
  });
}

export const redemptionTraceRules: readonly TraceRule[] = [
  callerTraceRule('redeem-code-unique', 'stated R13', function* (trace) {
    const codes = trace.by('redeemCode', 'saveRedeemDetails');
    for (const [first, ...others] of codes.values()) {
      if (first === undefined) continue;
      if (codes.size > 1) yield { at: first };
      for (const at of others) {
        const differs = (['product', 'quantity', 'total', 'points'] as const).find((name) =>
          different(first.facts[name], at.facts[name]),
        );
        const changed = different(first.uid, at.uid) ? 'uid' : differs;
        const expected = 'a unique code, or the same record again';
        const actual = `the code of a record with another ${changed}`;
        yield observe(at, [first], changed === undefined, '/body/redeemCode', expected, actual);
      }
    }
  }),
  noRecordAfter('no-record-after-delivered', 'stated G14 S4', 'Delivered'),
  noRecordAfter('no-record-after-rejected', 'stated G14 S6', 'Rejected'),
  followsRecord('pending-follows-its-record', 'stated S3', 'Pending'),
  followsRecord('delivered-follows-its-record', 'stated S4', 'Delivered'),
  followsRecord('rejected-follows-its-record', 'stated S6', 'Rejected'),
  callerTraceRule('delivery-of-a-taken-record', 'stated S3 S4', function* (trace) {
    for (const { records, updates } of redemptions(trace)) {
      const [refused] = records;
      for (const at of updates.filter((one) => one.facts.reported === 'Delivered' && !isMalformed(one))) {
        if (refused === undefined || trace.isCut(records)) continue;
        const isTaken = records.some(({ succeeded }) => succeeded);
        const isRefusal = (one: TraceEvent) => isRefused(one) && !isMalformed(one) && trace.isBefore(one, at);
        if (!isTaken && !records.every(isRefusal)) continue;
        const actual = 'a redemption whose record the client refused';
        const expected = 'a redemption whose record the client took';
        yield observe(at, [refused], isTaken, '/body/redeemCode', expected, actual);
      }
    }
  }),
  isFinal('delivered-is-final', 'stated S4 S5', 'Delivered'),
  isFinal('rejected-is-final', 'stated S6', 'Rejected'),
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

/** Returns whether a status is final. */
export function isEnd(status: string | undefined): boolean {
  return status === 'Delivered' || status === 'Rejected';
}

/** Returns whether the host refused a call for its form or its credential. Such a refusal reveals nothing about the redemption. */
function isMalformed({ status = 0 }: TraceEvent): boolean {
  return [400, 401, 403, 405, 413, 415, 429].includes(status);
}

/** Returns whether the host refused a call, so that the call changed nothing. */
export function isRefused({ status = 0 }: TraceEvent): boolean {
  return status >= 400 && status < 500;
}

/** Returns whether two known values differ. */
export function different(one: unknown, other: unknown): boolean {
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
  if (projects.size !== 1) return;
  yield* observeSame(at, earlier[0], pointer, `"${project}", the code ${whose}`, project, at.facts.project);
}

/** Creates a rule that a successful call must not be refused when it is repeated. */
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
      // The host may refuse a repeated call if the redemption has ended in between.
      if (ended?.get(code)?.some(({ facts }) => facts.reported !== 'Pending')) continue;
      for (const at of calls) {
        const same = calls.find((one) => one.succeeded && one.facts.body === at.facts.body && trace.isBefore(one, at));
        if (same === undefined || at.status === undefined) continue;
        const isServed = !isRefused(at) || at.facts.message === 'Token Invalid';
        yield observe(at, [same], isServed, '/status', 'success, as for the same call earlier', at.status);
      }
    }
  });
}
