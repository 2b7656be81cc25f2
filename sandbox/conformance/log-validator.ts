import type { CallFinding } from '../activity-log/activity-entry.ts';
import type { SeenCall, ValidateCall } from '../activity-log/raw-call.ts';
import { ActivityEntries, type Operations, operationsOf } from './activity-entries.ts';
import { Checker } from './checker.ts';
import { ownContracts } from './contracts.ts';
import type { Finding } from './finding.ts';

/** Most findings of one call that its entry keeps. */
const mostFindings = 20;

/** The validator of all logs of this process: contracts do not change while it lives. */
let shared: { readonly checker: Checker; readonly operations: Operations } | undefined;

/** What validates the calls of one activity log when they are logged (OP-66). */
export function logValidator(): ValidateCall {
  let calls: ActivityEntries | undefined;
  return (seen: SeenCall, raw) => {
    shared ??= made();
    calls ??= new ActivityEntries(shared.operations);
    const exchange = calls.read(seen, raw);
    if (exchange === undefined || exchange === 'outside') return { findings: [], unchecked: false };
    if (exchange === 'unreadable') return { findings: [], unchecked: true };
    const { findings, unchecked } = shared.checker.check(exchange);
    return { findings: findings.slice(0, mostFindings).map(callFinding), unchecked };
  };
}

function made() {
  const contracts = ownContracts();
  return { checker: new Checker(contracts, { notices: false }), operations: operationsOf(contracts) };
}

/** A finding without what the entry says already. */
function callFinding({
  times: _,
  method: _m,
  url: _u,
  status: _s,
  operation: _o,
  trace: _t,
  ...found
}: Finding): CallFinding {
  return found;
}
