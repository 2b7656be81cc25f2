import type { Deviation } from '../activity-log/activity-entry.ts';
import { weightOf } from '../contract/basis.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { JudgedContract } from '../http-client/reply.ts';
import { runCheck } from './check-body.ts';
import { replyFlaws } from './check-message.ts';
import { onePerPlace } from './finding.ts';
import { OperationBasis } from './flaw-basis.ts';
import { type RuledOperation, ruleOperation } from './ruled-operation.ts';

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
