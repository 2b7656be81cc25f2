import type { Contract } from './document.ts';

/**
 * A contract without the operations that are `taken`, since another contract of the same address serves them; the
 * contract itself where that is all of it. A part has the security schemes that its operations name, so that the binder
 * stays exact about handlers and authenticators of it.
 */
export function partOf<C extends Contract>(contract: C, taken: ReadonlySet<string>): C {
  const operations = contract.operations.filter(({ operationId }) => !taken.has(operationId));
  if (operations.length === contract.operations.length) return contract;
  return { ...contract, operations, securitySchemes: [...new Set(operations.flatMap(({ security }) => security))] };
}
