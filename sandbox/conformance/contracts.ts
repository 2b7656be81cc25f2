import { readFileSync } from 'node:fs';
import { interfaceContracts, type RegisteredApi, registry } from '../apis/registry.ts';
import { bundleFiles, contract, type Edition, type Node } from '../contract/document.ts';
import { compileSchemas, type LoadedContract, loadContract, Schemas } from '../contract/schemas.ts';
import { once } from '../runtime/caches.ts';
import type { Exchange } from './exchange.ts';
import { type RuledOperation, ruleOperation } from './ruled-operation.ts';
import { SourceLines } from './source-lines.ts';

/** An error for a contract that cannot be used for checks. Traffic must never pass because its contract failed to load. */
export class ContractError extends Error {}

/** An operation that exchanges are validated against. */
export interface CheckedOperation extends RuledOperation {
  readonly contract: CheckedContract;
  /**
   * The same operation as this sandbox serves it, if the interface has it. Requests are validated against it. It adds only
   * assumptions to the stated rules, so it causes no further errors (decision 053).
   */
  readonly asHost?: CheckedOperation;
}

/** A contract that is ready for checks, with its source lines. */
export interface CheckedContract extends Omit<LoadedContract, 'operations'> {
  readonly lines: Pick<SourceLines, 'at'>;
}

/** The contract operations of each server, and those of webhooks. */
export type ContractSet = Readonly<Record<Exchange['server'], readonly CheckedOperation[]>>;

/** Operations and their servers, by operationId. */
export type Operations = ReturnType<typeof operationsOf>;

/** Returns the operation with an operationId, or `undefined` if no contract has it. */
export type OperationOf = (operationId: string) => CheckedOperation | undefined;

/** Returns the operations of all contracts, by operationId. */
export function operationsOf(contracts: ContractSet) {
  const servers = Object.entries(contracts) as [Exchange['server'], readonly CheckedOperation[]][];
  const all = servers.flatMap(([server, operations]) => operations.map((operation) => ({ server, operation })));
  return new Map(all.map((one) => [one.operation.operationId, one]));
}

/** A function that reads a bundle. Tests supply their own. */
type ReadBundle = (api: string, edition: Edition) => Node;

/** The folder that contains `openapi/` and `generated/`. */
export const projectRoot = new URL('../../', import.meta.url);

/** Returns a function that reads the bundles written by `npm run generate`. */
export function bundlesIn(root: URL): ReadBundle {
  return (api, edition) => JSON.parse(readFileSync(new URL(`generated/${api}/${bundleFiles[edition]}`, root), 'utf8'));
}

/**
 * Reads the contracts of another version of the project, and groups their operations by server (OP-01). Throws a ContractError if a
 * schema does not compile, because such a schema would detect no violations.
 */
export function loadContractSet(read: ReadBundle, root: URL): ContractSet {
  const set = arranged((api, edition) => {
    const bundle = read(api, edition);
    try {
      const made = contract(api, bundle);
      compileSchemas(made);
      return { ...made, schemas: new Schemas(made) };
    } catch (error) {
      const { cause, message } = error as Error;
      throw new ContractError(cause instanceof Error ? `${message}: ${cause.message}` : message);
    }
  }, root);
  // Reading all properties loads every contract now, so that errors surface here.
  Object.values(set);
  return set;
}

/**
 * The contracts that the project was built with, which do not change while the process runs. Each contract is read, and its schemas
 * compiled, on its first check. `npm run generate` has already compiled all of them.
 */
export const ownContracts = once(() => arranged(loadContract, projectRoot));

/** A function that reads a contract with its schemas. */
type Load = (api: string, edition: Edition) => LoadedContract;

/** Groups operations by server. The operations of a server are loaded when they are first requested. */
function arranged(load: Load, root: URL): ContractSet {
  const operationsIn = (api: string, edition: Edition) => {
    const loaded = load(api, edition);
    return readOperations(loaded, new SourceLines(root, api, loaded.bundle));
  };
  // If the host may be another implementation, replies are validated against the interface, without the sandbox's additions. The
  // sandbox validates its own replies against the additions before it sends them (decision 053).
  const both = (api: string) => {
    const [anybodys, ours] = [operationsIn(api, 'interface'), operationsIn(api, 'sandbox')];
    return anybodys.map((operation, index) => ({ ...operation, ...(ours[index] && { asHost: ours[index] }) }));
  };
  const ofInterface: readonly string[] = interfaceContracts;
  const operationsFrom = (api: string) => (ofInterface.includes(api) ? both(api) : operationsIn(api, 'sandbox'));
  const set = {} as Record<keyof ContractSet, readonly CheckedOperation[]>;
  for (const [name, { contracts: apis }] of Object.entries<RegisteredApi>(registry)) {
    onDemand(set, name as keyof ContractSet, () => {
      const operations: readonly CheckedOperation[] = apis.flatMap(operationsFrom);
      // Version 2.0 repeats the sign-in. The operation in the first contract applies.
      const first = (id: string) => operations.find(({ operationId }) => operationId === id);
      return operations.filter((operation) => operation === first(operation.operationId));
    });
  }
  onDemand(set, 'webhook', () => webhooks(load('rewards', 'interface'), root));
  return set;
}

/** Defines a property that is computed when it is first read. */
function onDemand<T, K extends keyof T>(of: T, name: K, make: () => T[K]): void {
  let made: T[K] | undefined;
  Object.defineProperty(of, name, { enumerable: true, get: () => (made ??= make()) });
}

/** Returns a contract's webhooks as operations, as if they were paths. */
function webhooks({ api, bundle }: LoadedContract, root: URL): readonly CheckedOperation[] {
  const items = Object.entries((bundle.webhooks ?? {}) as Node).map(([name, item]) => [`/${name}`, item]);
  const lines = new SourceLines(root, api, bundle);
  const at = (pointer: string) => lines.at(pointer.replace(/^\/paths\/~1/, '/webhooks/'));
  const made = contract(api, { ...bundle, paths: Object.fromEntries(items), webhooks: {} });
  return readOperations({ ...made, schemas: new Schemas(made) }, { at });
}

function readOperations(loaded: LoadedContract, lines: CheckedContract['lines']): readonly CheckedOperation[] {
  const checked: CheckedContract = { ...loaded, lines };
  return loaded.operations.map((operation) => ruleOperation(operation, checked));
}
