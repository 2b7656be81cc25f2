/** Validates the sandbox's own traffic: calls when they are logged, and replies of others when they arrive. */
import type { CallFinding, Deviation, SeenCall, ValidateCall } from '../activity-log/activity-entry.ts';
import { weightOf } from '../contract/basis.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { JudgedContract } from '../http-client/reply.ts';
import { ActivityEntries, type Operations, operationsOf } from './activity-entries.ts';
import { runCheck } from './check-body.ts';
import { replyFlaws } from './check-message.ts';
import { Checker } from './checker.ts';
import { ownContracts } from './contracts.ts';
import { type Finding, onePerPlace } from './finding.ts';
import { OperationBasis } from './flaw-basis.ts';
import { type RuledOperation, ruleOperation } from './ruled-operation.ts';

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

/** A contract with the judge of the replies that the platform and the microsite get: that of all other traffic (OP-62). */
export function judgedContract(contract: LoadedContract): JudgedContract {
  const cached = new Map<string, { readonly operation: RuledOperation; readonly basis: OperationBasis }>();
  const find = (operationId: string) => {
    const made = cached.get(operationId);
    if (made !== undefined) return made;
    const found = contract.operations.find((operation) => operation.operationId === operationId);
    if (found === undefined) throw new Error(`${contract.api} has no ${operationId}`);
    const operation = ruleOperation(found, contract);
    const ready = { operation, basis: new OperationBasis(operation) };
    cached.set(operationId, ready);
    return ready;
  };
  return {
    ...contract,
    deviations(operationId, url, { status, headers, text }): readonly Deviation[] {
      const { operation, basis } = find(operationId);
      const body = { kind: 'text', text } as const;
      const call = { method: operation.method, path: url };
      const flaws = runCheck(operation, () => replyFlaws(operation, call, { status, headers, body }));
      return onePerPlace(flaws)
        .filter(({ code }) => code !== 'body.unchecked')
        .map((flaw) => {
          const { code, pointer, expected, actual } = flaw;
          const rests = basis.of(flaw, status);
          return { code: `reply.${code}`, pointer, expected, actual, basis: rests, severity: weightOf(rests) };
        });
    },
  };
}
