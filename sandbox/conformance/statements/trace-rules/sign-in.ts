/** Rules for the two steps of a customer's sign-in, and for the portal entry that follows. */
import { callerTraceRule, hostTraceRule, observe, observeOrder, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

const pointer = '/body/reference_id';

/** Yields each verification with the calls that returned its reference. */
function* verifications(trace: Trace): Generator<{ at: TraceEvent; sent: readonly TraceEvent[] }> {
  const sent = trace.group('references', (event) =>
    event.operation === 'generateOtp' ? (event.facts.references ?? []).map((reference) => [reference, event]) : [],
  );
  for (const at of trace.of('verifyOtp')) {
    const { reference } = at.facts;
    if (reference !== undefined) yield { at, sent: sent.get(reference) ?? [] };
  }
}

export const signInTraceRules: readonly TraceRule[] = [
  callerTraceRule('code-sent-before-it-is-verified', 'stated T4', function* (trace) {
    const texts = ['the reference of a code sent earlier', 'the reference of a code sent later'] as const;
    for (const { at, sent } of verifications(trace)) yield* observeOrder(trace, at, sent, pointer, ...texts);
  }),
  callerTraceRule('verified-code-was-sent', 'stated T4', function* (trace) {
    if (!trace.complete) return;
    const sendings = trace.of('generateOtp');
    if (sendings.some(({ succeeded, facts }) => succeeded && !facts.references?.length)) return;
    const texts = ['the reference of a sent code', 'a reference that no call returned'] as const;
    for (const { at, sent } of verifications(trace))
      if (at.succeeded) yield observe(at, [], sent.length > 0, pointer, ...texts, ['generateOtp']);
  }),
  callerTraceRule('reference-of-its-customer', 'OP-18', function* (trace) {
    for (const { at, sent } of verifications(trace)) {
      const owners = sent.filter(({ uid }) => uid !== undefined);
      const [owner] = owners;
      if (owner === undefined || at.uid === undefined || trace.isCut(sent)) continue;
      const isOwner = owners.some(({ uid }) => uid === at.uid);
      yield observe(at, [owner], isOwner, '/body/customer_id', `"${owner.uid}", who received the code`, at.uid);
    }
  }),
  hostTraceRule('code-works-once', 'OP-18', function* (trace) {
    for (const uses of trace.by('reference', 'verifyOtp').values()) {
      const [first, ...again] = uses.filter(({ succeeded }) => succeeded);
      if (first === undefined) continue;
      yield { at: first };
      for (const at of again)
        yield observe(at, [first], false, '/status', 'an error, since the code was already used', at.status);
    }
  }),
  hostTraceRule('portal-asks-the-client', 'stated G9 M4', function* (trace) {
    const profileCalls = trace.byCustomer('getProfileAndPoints');
    for (const at of trace.of('openPortal')) {
      if (at.uid === undefined || !isLetIn(at)) continue;
      const all = profileCalls.get(at.uid) ?? [];
      const call = all.find((one) => !trace.isBefore(one, at) && !trace.isBefore(at, one));
      const texts = ['getProfileAndPoints before the customer is admitted', 'no such call'] as const;
      if (call !== undefined || (trace.complete && !trace.isCut(all)))
        yield observe(at, [], call !== undefined, '/status', ...texts, ['getProfileAndPoints']);
    }
  }),
  hostTraceRule('portal-refuses-an-invalid-token', 'stated G11', function* (trace) {
    const profileCalls = trace.byCustomer('getProfileAndPoints');
    for (const at of trace.of('openPortal')) {
      const calls = (profileCalls.get(at.uid ?? '') ?? []).filter((call) => trace.isWithin(call, at));
      if (at.uid === undefined || calls.length === 0 || at.status === undefined) continue;
      if (!calls.every(({ facts }) => facts.message === 'Token Invalid')) continue;
      const expected = 'access denied, since the client reports the token as invalid';
      yield observe(at, calls, !isLetIn(at), '/status', expected, at.status);
    }
  }),
];

/** Returns whether the portal redirected the browser. A page with status 200 may be a refusal. */
function isLetIn({ status = 0 }: TraceEvent): boolean {
  return status >= 300 && status < 400;
}
