import { readFileSync } from 'node:fs';
import { interfaceContracts, type RegisteredApi, registry } from '../apis/registry.ts';
import { bundleFiles, contract, type Edition, type Node } from '../contract/document.ts';
import { type LoadedContract, Schemas } from '../contract/schemas.ts';
import type { Exchange } from './exchange.ts';
import { PrismContract } from './prism-contract.ts';
import { ContractError, type Diagnostic, type PrismView } from './prism-view.ts';
import { type RuledOperation, ruled } from './ruled-operation.ts';
import { SourceLines } from './source-lines.ts';

export { ContractError };

/** An operation that exchanges are held against. */
export interface CheckedOperation extends RuledOperation {
  readonly contract: CheckedContract;
  /** What Prism says of its messages. Throws `PrismUnread` where that has to be read first. */
  readonly prism: () => PrismView;
  /**
   * Itself as this sandbox takes it, where it is of the interface. Its requests are held against that: beyond what is
   * stated there are assumptions only, so that nothing more becomes an error (decision 053).
   */
  readonly taken?: CheckedOperation;
}

/** A contract ready to be checked against. */
export interface CheckedContract extends Omit<LoadedContract, 'operations'> {
  readonly lines: Pick<SourceLines, 'at'>;
}

/** The contracts of each address, and those of webhooks. */
export type ContractSet = Readonly<Record<Exchange['server'], readonly CheckedOperation[]>>;

/** Reads a bundle; a test hands in its own. */
export type ReadBundle = (api: string, edition: Edition) => Node;

/** The folder that holds `openapi/` and `generated/`. */
export const projectRoot = new URL('../../', import.meta.url);

/** Reads bundles as `npm run generate` wrote them. */
export function bundlesIn(root: URL): ReadBundle {
  return (api, edition) => JSON.parse(readFileSync(new URL(`generated/${api}/${bundleFiles[edition]}`, root), 'utf8'));
}

/**
 * Loads every contract into Prism, in one process, and arranges their operations as they are served (OP-01). Throws a
 * ContractError where a schema does not compile: Prism itself would let everything through.
 */
export async function loadContractSet(
  read: ReadBundle = bundlesIn(projectRoot),
  root = projectRoot,
): Promise<ContractSet> {
  const contracts: ReadContract[] = [];
  const set = arranged(read, root, contracts);
  // Each address is read with its contracts.
  Object.values(set);
  for (const { prism } of contracts) await prism.read();
  for (const { api, operations, judged } of contracts) proveCompiled(api, operations, judged);
  return set;
}

/**
 * The same of the contracts that the project was built with, each read when something of it is first judged, and by
 * Prism only where a verdict needs it (OP-148). Their schemas are known to compile.
 */
export function readContractSet(): ContractSet {
  return arranged(bundlesIn(projectRoot), projectRoot, []);
}

/** A contract as it was read, and which of its schemas are used. */
interface ReadContract {
  readonly api: string;
  readonly operations: readonly CheckedOperation[];
  readonly prism: PrismContract;
  readonly judged: readonly Direction[];
}

/** Arranges operations as they are served, each address when it is first asked for, and notes each contract read. */
function arranged(read: ReadBundle, root: URL, contracts: ReadContract[]): ContractSet {
  const load = (api: string, edition: Edition, judged: readonly Direction[]) => {
    const bundle = read(api, edition);
    const made = readOperations(api, bundle, new SourceLines(root, api, bundle), judged);
    contracts.push(made);
    return made.operations;
  };
  // Where anybody may be the host, replies are held against what the interface has, without what only the sandbox
  // promises: its own are held against that before they leave (decision 053).
  const both = (api: string) => {
    const [anybodys, ours] = [load(api, 'interface', ['reply']), load(api, 'sandbox', ['request'])];
    return anybodys.map((operation, index) => ({ ...operation, ...(ours[index] && { taken: ours[index] }) }));
  };
  const ofInterface: readonly string[] = interfaceContracts;
  const operationsOf = (api: string) =>
    ofInterface.includes(api) ? both(api) : load(api, 'sandbox', ['request', 'reply']);
  const set = {} as Record<keyof ContractSet, readonly CheckedOperation[]>;
  for (const [name, { contracts: apis }] of Object.entries<RegisteredApi>(registry)) {
    onDemand(set, name as keyof ContractSet, () => {
      const operations: readonly CheckedOperation[] = apis.flatMap(operationsOf);
      // Version 2.0 repeats the sign-in; the first contract's counts.
      const first = (id: string) => operations.find(({ operationId }) => operationId === id);
      return operations.filter((operation) => operation === first(operation.operationId));
    });
  }
  onDemand(set, 'webhook', () => {
    const made = readWebhooks('rewards', read('rewards', 'interface'), root);
    contracts.push(made);
    return made.operations;
  });
  return set;
}

/** A property that is made when it is first read. */
function onDemand<T, K extends keyof T>(of: T, name: K, make: () => T[K]): void {
  let made: T[K] | undefined;
  Object.defineProperty(of, name, { enumerable: true, get: () => (made ??= make()) });
}

/** What of an exchange a contract's schemas are for. */
type Direction = 'request' | 'reply';

/** A contract's webhooks as if they were paths, which is all that Prism reads. */
function readWebhooks(api: string, bundle: Node, root: URL): ReadContract {
  const items = Object.entries((bundle.webhooks ?? {}) as Node).map(([name, item]) => [`/${name}`, item]);
  const lines = new SourceLines(root, api, bundle);
  const at = (pointer: string) => lines.at(pointer.replace(/^\/paths\/~1/, '/webhooks/'));
  return readOperations(api, { ...bundle, paths: Object.fromEntries(items), webhooks: {} }, { at }, ['request']);
}

function readOperations(
  api: string,
  bundle: Node,
  lines: CheckedContract['lines'],
  judged: readonly Direction[],
): ReadContract {
  const read = contract(api, bundle);
  let schemas: Schemas | undefined;
  const checked: CheckedContract = {
    ...read,
    get schemas() {
      schemas ??= new Schemas(read);
      return schemas;
    },
    lines,
  };
  const prism = new PrismContract(api, bundle, read.operations);
  const operations = read.operations.map((operation) => ({
    ...ruled(operation, checked),
    prism: () => prism.view(operation.operationId),
  }));
  return { api, operations, prism, judged };
}

/** Values of which nearly every schema refuses one. */
const probes: readonly unknown[] = ['\u0000', 0.5, true, [], {}];

/**
 * Throws where a schema does not compile. Prism takes such a schema for one that allows everything and says nothing, so
 * that it is asked about a value which the schema refuses: it must refuse it too.
 */
function proveCompiled(api: string, operations: readonly CheckedOperation[], judged: readonly Direction[]): void {
  const proven = new Set<string>();
  for (const operation of operations) {
    const { body, parameters, replies } = operation;
    const view = operation.prism();
    const prove = (pointer: string, place: string, refuses: (value: unknown) => boolean) => {
      if (proven.has(pointer)) return;
      proven.add(pointer);
      const check = compiled(operation, pointer, place);
      const probe = probes.find((value) => check(value) !== undefined);
      if (probe !== undefined && !refuses(probe))
        throw new ContractError(
          `${api}: Prism does not compile the schema of ${operation.operationId} ${place} (${pointer}) and would call everything valid.`,
        );
    };
    const headers = { 'content-type': 'application/json' };
    if (judged.includes('request')) {
      for (const { name, schema } of parameters) compiled(operation, schema, `parameter ${name}`);
      if (body !== undefined)
        prove(body.schema, 'request', (value) =>
          complains(view.request({ method: operation.method.toLowerCase(), url: { path: '/' }, headers, body: value })),
        );
    }
    for (const [status, { schema }] of judged.includes('reply') ? replies : []) {
      if (schema !== undefined)
        prove(schema, `reply ${status}`, (value) =>
          complains(view.reply({ statusCode: status, headers, body: value })),
        );
    }
  }
}

function compiled({ contract: { schemas, api }, operationId }: CheckedOperation, pointer: string, place: string) {
  try {
    return schemas.compiled(pointer);
  } catch (error) {
    throw new ContractError(
      `${api}: the schema of ${operationId} ${place} (${pointer}) does not compile: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Whether Prism has a complaint about a body. */
function complains(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ path }) => path?.[0] === 'body');
}
