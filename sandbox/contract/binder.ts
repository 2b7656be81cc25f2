import type { Api, Watch } from './api.ts';
import { shapeOf } from './body.ts';
import type { Operation } from './document.ts';
import { checkedReplies } from './replies.ts';
import { type AnyFailure, Parameters } from './request.ts';
import type { Call, HandlerAnswer, OperationType, StatusTable } from './types.ts';

/** A call of any operation, with erased types. */
export type AnyCall = Call<OperationType, unknown>;
/** A handler of any operation, with erased types. */
type AnyHandler = (party: unknown, call: AnyCall) => HandlerAnswer | Promise<HandlerAnswer>;
/** An API with any operations, with erased types. */
type AnyApi<Hosts = unknown> = Api<unknown, Hosts, unknown, unknown, AnyFailure, StatusTable<AnyFailure>>;

/** Returns an operation with its handler and validators. */
function bindOperation(operation: Operation, handler: AnyHandler, api: AnyApi, watch: Watch) {
  const { schemas, bundle } = api.contract;
  const { method, path, body } = operation;
  return {
    operation,
    method,
    path,
    handler,
    api,
    watch,
    parameters: new Parameters(operation, schemas),
    body: body && { ...body, check: schemas.check(body.schema), shape: shapeOf(bundle, body.schema) },
    replies: checkedReplies(operation, schemas),
  };
}

/** An operation with its handler and the validators of its calls and replies. All workspaces share it. */
export type BoundOperation = Readonly<ReturnType<typeof bindOperation>>;

/**
 * Binds the handlers of an API to its contract. Throws if a handler or an authenticator is missing or superfluous, so a
 * sandbox that does not match its contract never starts.
 */
export function bind<Ops, Hosts, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>>(
  api: Api<Ops, Hosts, Party, Caller, F, T>,
  watch: Watch,
): BoundOperation[] {
  const { contract } = api;
  const handlers = new Map(Object.entries(api.handlers)) as Map<string, AnyHandler>;
  const ids = contract.operations.map(({ operationId }) => operationId);
  refuseDifference(`${contract.api}: handler`, new Set(ids), new Set(handlers.keys()));
  const schemes = new Set(contract.securitySchemes);
  refuseDifference(`${contract.api}: authenticator`, schemes, new Set(Object.keys(api.authenticators)));
  return contract.operations.map((operation) => {
    const handler = handlers.get(operation.operationId);
    if (handler === undefined) throw new Error(`${contract.api}: no handler for ${operation.operationId}`);
    return bindOperation(operation, handler, api as unknown as AnyApi, watch);
  });
}

function refuseDifference(what: string, wanted: ReadonlySet<string>, actual: ReadonlySet<string>): void {
  const missing = [...wanted.difference(actual)];
  const surplus = [...actual.difference(wanted)];
  if (missing.length > 0) throw new Error(`${what} missing for ${missing.join(', ')}`);
  if (surplus.length > 0) throw new Error(`${what} without an entry in the contract: ${surplus.join(', ')}`);
}

/** A served API without its contract, with erased types. */
export type ServedContract<Hosts> = Omit<AnyApi<Hosts>, 'contract'>;

/** The served contracts of an API, by name. The envelope and allowlist of the first also apply to unknown paths. */
export type ServedApi<Hosts, Contract extends string = string> = Readonly<Record<Contract, ServedContract<Hosts>>>;

/** Erases the types of an API, so that it can be bound to its contract. */
export function serve<Ops, Hosts, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>>(
  api: Omit<Api<Ops, Hosts, Party, Caller, F, T>, 'contract'>,
): ServedContract<Hosts> {
  return api as unknown as ServedContract<Hosts>;
}
