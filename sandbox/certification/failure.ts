/** A requirement that does not hold, as reports tell it. */

import type { CheckedOperation, ContractSet } from '../conformance/contracts.ts';
import { idsOf, isStated } from '../contract/basis.ts';
import { escapePointer } from '../contract/document.ts';
import type { Requirement } from './requirement.ts';
import { type Secrets, shownExchange } from './shown-exchange.ts';
import type { Failure, Seen } from './verdict.ts';

/** Most calls that a failure shows. */
const mostExchanges = 6;

/** What a failure says, from what was seen and what its requirement says. */
export function failure(
  requirement: Requirement,
  seen: Seen,
  contracts: ContractSet,
  { clientUrl, secrets }: { readonly clientUrl: string; readonly secrets: Secrets },
): Failure {
  const hide = (text: string) => secrets.hide(text);
  return {
    requirement: requirement.id,
    message: hide(seen.message),
    pointer: seen.pointer,
    expected: hide(seen.expected),
    actual: hide(seen.actual),
    statement: requirement.basis,
    docs: docsOf(requirement.basis),
    contract: seen.finding?.contract ?? contractPlaceOf(requirement, seen, contracts),
    change: hide(seen.change ?? requirement.change),
    breaks: [],
    again: `--only ${requirement.id}`,
    exchanges: seen.answers.slice(-mostExchanges).map((answer) => shownExchange(answer, clientUrl, secrets)),
  };
}

/** The page of the documentation that says more, below the address of the documentation. */
function docsOf(basis: string): string {
  const [id = ''] = idsOf(basis);
  return isStated(basis) ? `interface#${id.toLowerCase()}` : `open-points#${id.toLowerCase()}`;
}

/** Where a contract says what a requirement is about: at its operation, else at that of the deciding call, else at its top. */
function contractPlaceOf(
  { operation, group }: Requirement,
  { answers }: Seen,
  contracts: ContractSet,
): Failure['contract'] {
  const operations = group === 'calling' ? [...contracts.rewards, ...contracts.webhook] : contracts.client;
  const { method, path = '' } = answers.at(-1)?.call ?? {};
  const isSent = (operation: CheckedOperation) => operation.method === method && operation.path === path.split('?')[0];
  const found = operations.find(({ operationId }) => operationId === operation) ?? operations.find(isSent);
  if (found !== undefined) {
    const { contract, path: at, method: how } = found;
    return contract.lines.at(`/paths/${escapePointer(at)}/${how.toLowerCase()}`);
  }
  const [first] = operations;
  if (first === undefined) throw new Error('the server has no contract');
  return first.contract.lines.at('/info');
}
