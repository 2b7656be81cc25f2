import type { Api, Bound, CallOrigin, Watch } from './api.ts';
import { bind } from './binder.ts';
import type { Envelope, Rendered } from './envelopes.ts';
import type { RequestFailure } from './failures.ts';
import type { LoadedContract } from './schemas.ts';
import type { StatusTable } from './types.ts';

/** Binds handlers to a contract. Throws where they do not fit (`bind`). */
export type BindContract = (contract: LoadedContract, watch: Watch) => Bound[];

/**
 * What a party serves an API with: the envelope of its errors, and for each of its contracts what binds the handlers.
 */
export interface ServedApi<Contract extends string = string> {
  readonly envelope: Pick<Envelope<RequestFailure>, 'render' | 'headers' | 'plain'>;
  readonly contracts: Readonly<Record<Contract, BindContract>>;
  /** Refuses a caller before anything else is looked at (OP-31). */
  readonly admit?: (from: CallOrigin) => Rendered | undefined;
}

/** The handlers of a contract with the rules for its callers, ready to be bound to it. */
export function serve<Ops, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>>(
  api: Omit<Api<Ops, Party, Caller, F, T>, 'contract'>,
): BindContract {
  return (contract, watch) => bind({ ...api, contract }, watch);
}
