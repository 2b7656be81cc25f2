/** Rules for the two steps of a customer's sign-in, and for the portal entry that follows. */
import { callerTraceRule, hostTraceRule, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

const pointer = '/body/reference_id';

/** Yields each verification with the calls that returned its reference. */
function* verifications(trace: Trace): Generator<{ at: TraceEvent; sent: readonly TraceEvent[] }> {
  const sent = new Map<string, TraceEvent[]>();
  for (const event of trace.of('generateOtp')) {
    for (const reference of event.facts.references ?? []) {
      const calls = sent.get(reference) ?? [];
      if (!trace.isCut(calls)) calls.push(event);
      sent.set(reference, calls);
    }
  }
  for (const at of trace.of('verifyOtp')) {
    const { reference } = at.facts;
    if (reference !== undefined) yield { at, sent: sent.get(reference) ?? [] };
  }
}

export const signInTraceRules: readonly TraceRule[] = [
  callerTraceRule('code-sent-before-it-is-verified', 'stated T4', function* (trace) {
    for (const { at, sent } of verifications(trace)) {
      if (sent.some((one) => trace.isBefore(one, at))) yield { at, with: sent.slice(0, 1) };
      else if (sent.length > 0 && sent.every((one) => trace.isBefore(at, one))) {
        const issue = {
          pointer,
          expected: 'the reference of a code sent earlier',
          actual: 'the reference of a code sent later',
        };
        yield { at, with: sent.slice(0, 1), issue };
      }
    }
  }),
  callerTraceRule('verified-code-was-sent', 'stated T4', function* (trace) {
    if (!trace.complete) return;
    const hasAllReferences = trace
      .of('generateOtp')
      .every(({ succeeded, facts }) => !succeeded || facts.references?.length);
    if (!hasAllReferences) return;
    for (const { at, sent } of verifications(trace)) {
      if (!at.succeeded) continue;
      const issue = {
        pointer,
        expected: 'the reference of a sent code',
        actual: 'a reference that no call returned',
      };
      yield sent.length > 0 ? { at, with: sent.slice(0, 1) } : { at, issue, absent: ['generateOtp'] };
    }
  }),
  callerTraceRule('reference-of-its-customer', 'OP-18', function* (trace) {
    for (const { at, sent } of verifications(trace)) {
      const owners = sent.filter(({ uid }) => uid !== undefined);
      const [owner] = owners;
      if (owner === undefined || at.uid === undefined || trace.isCut(sent)) continue;
      const expected = `"${owner.uid}", who received the code`;
      const issue = { pointer: '/body/customer_id', expected, actual: at.uid };
      yield owners.some(({ uid }) => uid === at.uid) ? { at, with: [owner] } : { at, with: [owner], issue };
    }
  }),
  hostTraceRule('code-works-once', 'OP-18', function* (trace) {
    for (const uses of trace.by('reference', 'verifyOtp').values()) {
      const [first, ...again] = uses.filter(({ succeeded }) => succeeded);
      if (first !== undefined) yield { at: first };
      for (const at of again) {
        const issue = {
          pointer: '/status',
          expected: 'an error, since the code was already used',
          actual: at.status,
        };
        yield { at, with: first === undefined ? [] : [first], issue };
      }
    }
  }),
  hostTraceRule('portal-asks-the-client', 'stated G9 M4', function* (trace) {
    const profileCalls = trace.byCustomer('getProfileAndPoints');
    for (const at of trace.of('openPortal')) {
      if (at.uid === undefined || !isLetIn(at)) continue;
      const all = profileCalls.get(at.uid) ?? [];
      const call = all.find((one) => !trace.isBefore(one, at) && !trace.isBefore(at, one));
      const expected = 'getProfileAndPoints before the customer is admitted';
      if (call !== undefined) yield { at, with: [call] };
      else if (trace.complete && !trace.isCut(all))
        yield {
          at,
          issue: { pointer: '/status', expected, actual: 'no such call' },
          absent: ['getProfileAndPoints'],
        };
    }
  }),
  hostTraceRule('portal-refuses-an-invalid-token', 'stated G11', function* (trace) {
    const profileCalls = trace.byCustomer('getProfileAndPoints');
    for (const at of trace.of('openPortal')) {
      const calls = (profileCalls.get(at.uid ?? '') ?? []).filter((call) => trace.isWithin(call, at));
      if (at.uid === undefined || calls.length === 0 || at.status === undefined) continue;
      const refused = calls.every(({ facts }) => facts.message === 'Token Invalid');
      if (!refused) continue;
      const expected = 'access denied, since the client reports the token as invalid';
      const issue = { pointer: '/status', expected, actual: at.status };
      yield isLetIn(at) ? { at, with: calls, issue } : { at, with: calls };
    }
  }),
];

/** Returns whether the portal redirected the browser. A page with status 200 may be a refusal. */
function isLetIn({ status = 0 }: TraceEvent): boolean {
  return status >= 300 && status < 400;
}
