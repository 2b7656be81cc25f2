/** A requirement that does not hold, as reports tell it. */

import { idsOf, isStated } from '../../contract/basis.ts';
import { escapePointer } from '../../contract/document.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { Requirement } from './requirement.ts';
import { type Secrets, shownExchange } from './shown-exchange.ts';
import type { Failure, Seen } from './verdict.ts';

/** Most calls that a failure shows. */
const mostExchanges = 6;

/** What a failure says, from what was seen and what its requirement says. */
export function failure(
  requirement: Requirement,
  seen: Seen,
  operations: readonly CheckedOperation[],
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
    contract: seen.finding?.contract ?? placeOf(requirement, operations),
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

function placeOf({ operation }: Requirement, operations: readonly CheckedOperation[]): Failure['contract'] {
  const found = operations.find(({ operationId }) => operationId === operation) ?? operations[0];
  if (found === undefined) throw new Error('the client has no contract');
  const { contract, path, method } = found;
  return contract.lines.at(`/paths/${escapePointer(path)}/${method.toLowerCase()}`);
}
