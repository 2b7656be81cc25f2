import type { Contract, Operation } from './document.ts';

/**
 * The part of a contract that one host serves, without the operations that `elsewhere` serves already. Its security schemes
 * are those that its operations name, so that the binder stays exact about handlers and authenticators of the part.
 */
export function partOf<C extends Contract>(contract: C, host: Operation['hostedBy'], elsewhere?: Contract): C {
  const taken = new Set(elsewhere?.operations.map(({ operationId }) => operationId));
  const operations = contract.operations.filter(
    ({ hostedBy, operationId }) => hostedBy === host && !taken.has(operationId),
  );
  return { ...contract, operations, securitySchemes: [...new Set(operations.flatMap(({ security }) => security))] };
}
