import { readFileSync } from 'node:fs';
import { interfaceContracts, type RegisteredApi, registry } from '../apis/registry.ts';
import { bundleFiles, contract, type Edition, type Node } from '../contract/document.ts';
import { compileSchemas, type LoadedContract, loadContract, Schemas } from '../contract/schemas.ts';
import { once } from '../runtime/once.ts';
import type { Exchange } from './exchange.ts';
import { type RuledOperation, ruleOperation } from './ruled-operation.ts';
import { SourceLines } from './source-lines.ts';

/** A contract that cannot be checked against. Nothing is called clean on its account. */
export class ContractError extends Error {}

/** An operation that exchanges are validated against. */
export interface CheckedOperation extends RuledOperation {
  readonly contract: CheckedContract;
  /**
   * The same operation as this sandbox serves it, if the interface has it. Requests are validated against that: beyond
   * what is stated it has assumptions only, so that nothing more becomes an error (decision 053).
   */
  readonly asHost?: CheckedOperation;
}

/** A contract ready to be checked against. */
export interface CheckedContract extends Omit<LoadedContract, 'operations'> {
  readonly lines: Pick<SourceLines, 'at'>;
}

/** The contracts of each address, and those of webhooks. */
export type ContractSet = Readonly<Record<Exchange['server'], readonly CheckedOperation[]>>;

/** Reads a bundle; a test hands in its own. */
type ReadBundle = (api: string, edition: Edition) => Node;

/** The folder that holds `openapi/` and `generated/`. */
export const projectRoot = new URL('../../', import.meta.url);

/** Reads bundles as `npm run generate` wrote them. */
export function bundlesIn(root: URL): ReadBundle {
  return (api, edition) => JSON.parse(readFileSync(new URL(`generated/${api}/${bundleFiles[edition]}`, root), 'utf8'));
}

/**
 * Reads the contracts of another version of the project, and arranges their operations as they are served (OP-01).
 * Throws a ContractError where a schema does not compile: nothing would be found by it.
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
  // Each address is read with its contracts.
  Object.values(set);
  return set;
}

/**
 * The contracts that the project was built with, which do not change while the process lives. Each is read, and its
 * schemas compiled, when something of it is first checked: `npm run generate` has compiled them all.
 */
export const ownContracts = once(() => arranged(loadContract, projectRoot));

/** Reads a contract with its schemas. */
type Load = (api: string, edition: Edition) => LoadedContract;

/** Arranges operations as they are served, each address when it is first requested. */
function arranged(load: Load, root: URL): ContractSet {
  const operationsIn = (api: string, edition: Edition) => {
    const loaded = load(api, edition);
    return readOperations(loaded, new SourceLines(root, api, loaded.bundle));
  };
  // Where anybody may be the host, responses are validated against the interface, without the additions of the
  // sandbox: it validates its own against those before it sends them (decision 053).
  const both = (api: string) => {
    const [anybodys, ours] = [operationsIn(api, 'interface'), operationsIn(api, 'sandbox')];
    return anybodys.map((operation, index) => ({ ...operation, ...(ours[index] && { asHost: ours[index] }) }));
  };
  const ofInterface: readonly string[] = interfaceContracts;
  const operationsOf = (api: string) => (ofInterface.includes(api) ? both(api) : operationsIn(api, 'sandbox'));
  const set = {} as Record<keyof ContractSet, readonly CheckedOperation[]>;
  for (const [name, { contracts: apis }] of Object.entries<RegisteredApi>(registry)) {
    onDemand(set, name as keyof ContractSet, () => {
      const operations: readonly CheckedOperation[] = apis.flatMap(operationsOf);
      // Version 2.0 repeats the sign-in; the first contract's counts.
      const first = (id: string) => operations.find(({ operationId }) => operationId === id);
      return operations.filter((operation) => operation === first(operation.operationId));
    });
  }
  onDemand(set, 'webhook', () => webhooks(load('rewards', 'interface'), root));
  return set;
}

/** A property that is made when it is first read. */
function onDemand<T, K extends keyof T>(of: T, name: K, make: () => T[K]): void {
  let made: T[K] | undefined;
  Object.defineProperty(of, name, { enumerable: true, get: () => (made ??= make()) });
}

/** A contract's webhooks as if they were paths. */
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
