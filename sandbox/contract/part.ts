import type { Contract, Operation } from './document.ts';

/**
 * The part of a contract that one host serves, without the operations that are `taken` already; the contract itself
 * where that is all of it. A part has the security schemes that its operations name, so that the binder stays exact
 * about handlers and authenticators of it.
 */
export function partOf<C extends Contract>(contract: C, host: Operation['hostedBy'], taken: ReadonlySet<string>): C {
  const operations = contract.operations.filter(
    ({ hostedBy, operationId }) => hostedBy === host && !taken.has(operationId),
  );
  if (operations.length === contract.operations.length) return contract;
  return { ...contract, operations, securitySchemes: [...new Set(operations.flatMap(({ security }) => security))] };
}
