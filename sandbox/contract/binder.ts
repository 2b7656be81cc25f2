import type { Api, Bound, CallOrigin, Watch } from './api.ts';
import type { Envelope, Rendered } from './envelopes.ts';
import type { RequestFailure } from './failure-tables.ts';
import { type AnyApi, type AnyHandler, BoundOperation } from './operation.ts';
import type { LoadedContract } from './schemas.ts';
import type { StatusTable } from './types.ts';

/**
 * Binds the handlers of an API to its contract. Throws when a handler is missing or surplus, when a security scheme has
 * no authenticator, or when a schema does not compile: a sandbox that breaks its contract does not start.
 */
export function bind<Ops, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>>(
  api: Api<Ops, Party, Caller, F, T>,
  watch: Watch,
): Bound[] {
  const { contract } = api;
  const handlers = new Map(Object.entries(api.handlers)) as Map<string, AnyHandler<Party, Caller>>;
  const ids = contract.operations.map(({ operationId }) => operationId);
  refuseDifference(`${contract.api}: handler`, new Set(ids), new Set(handlers.keys()));
  refuseDifference(
    `${contract.api}: authenticator`,
    new Set(contract.securitySchemes),
    new Set(Object.keys(api.authenticators)),
  );
  return contract.operations.map((operation) => {
    const handler = handlers.get(operation.operationId);
    if (handler === undefined) throw new Error(`${contract.api}: no handler for ${operation.operationId}`);
    return new BoundOperation(operation, handler, api as unknown as AnyApi<Party, Caller>, watch);
  });
}

function refuseDifference(what: string, wanted: ReadonlySet<string>, actual: ReadonlySet<string>): void {
  const missing = [...wanted.difference(actual)];
  const surplus = [...actual.difference(wanted)];
  if (missing.length > 0) throw new Error(`${what} missing for ${missing.join(', ')}`);
  if (surplus.length > 0) throw new Error(`${what} without an entry in the contract: ${surplus.join(', ')}`);
}

/** Binds handlers to a contract. Throws where they do not fit (`bind`). */
type BindContract = (contract: LoadedContract, watch: Watch) => Bound[];

/**
 * What a party serves an API with: the envelope of its errors, and for each of its contracts what binds the handlers.
 */
export interface ServedApi<Contract extends string = string> {
  readonly envelope: Pick<Envelope<RequestFailure>, 'render' | 'headers' | 'plain'>;
  readonly contracts: Readonly<Record<Contract, BindContract>>;
  /** Refuses a caller before anything else is checked (OP-31). */
  readonly admit?: (from: CallOrigin) => Rendered | undefined;
}

/** The handlers of a contract with the rules for its callers, ready to be bound to it. */
export function serve<Ops, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>>(
  api: Omit<Api<Ops, Party, Caller, F, T>, 'contract'>,
): BindContract {
  return (contract, watch) => bind({ ...api, contract }, watch);
}
