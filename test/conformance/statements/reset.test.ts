/** A reset restarts the sandbox's state, so rules for several calls must also restart. */
import { expect, it } from 'vitest';
import { FindingCollector } from '../../../sandbox/conformance/finding-collector.ts';
import { type Draft, example, exchange } from '../../harness/exchanges.ts';
import { sharedChecker } from '../../harness/proxy.ts';

/** Builds an order with this id. All orders have the same redemption codes. */
function order(order_id: string): Draft {
  const draft = example('createRedemptionOrder', 200);
  draft.reply.body = { ...(draft.reply.body as object), order_id };
  return draft;
}

/** Returns the code, pointer and basis of each trace rule finding. */
function traceFindings(drafts: readonly Draft[], complete = false) {
  const checker = sharedChecker();
  const collector = new FindingCollector(checker, 'har', '0.0.0', undefined, { complete, oneClock: complete });
  for (const draft of drafts) collector.add(exchange(draft), checker.check(exchange(draft)));
  const { findings } = collector.report;
  return findings
    .filter(({ code }) => code.includes('.trace.'))
    .map(({ code, pointer, basis }) => [code, pointer, basis]);
}

const repeated = [
  ['reply.trace.order-code-unique', '/body/lines/0/redeemCode', 'stated R13'],
  ['reply.trace.one-order-for-a-key', '/body/order_id', 'OP-20'],
];

it('a redemption code that a second order repeats is a finding', () => {
  expect(traceFindings([order('ORD-1'), order('ORD-2')])).toEqual(repeated);
});

it.each([
  ['resetWorkspace', 200],
  ['restoreSnapshot', 200],
])('it is no finding after %s, since the sandbox repeats its codes', (operation, status) => {
  expect(traceFindings([order('ORD-1'), example(operation, status), order('ORD-2')])).toEqual([]);
});

it('a status update whose record came before a reset is no finding: it may belong to another workspace', () => {
  const before = example('saveRedeemDetails', 200);
  const update = example('updateRedeemStatus', 200);
  expect(traceFindings([update], true)).not.toEqual([]);
  expect(traceFindings([before, example('resetWorkspace', 200), update], true)).toEqual([]);
});

it('a reset that is refused changes nothing', () => {
  expect(traceFindings([order('ORD-1'), example('resetWorkspace', 503), order('ORD-2')])).toEqual(repeated);
});

it('a reset removes no earlier finding', () => {
  expect(traceFindings([order('ORD-1'), order('ORD-2'), example('resetWorkspace', 200), order('ORD-1')])).toEqual(
    repeated,
  );
});
