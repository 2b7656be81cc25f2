import { readFileSync } from 'node:fs';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { validateInput, validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import { interfaceContracts, type RegisteredApi, registry, servedContracts } from '../apis/registry.ts';
import { bundleFiles, contract, type Edition, type Node } from '../contract/document.ts';
import { type LoadedContract, Schemas } from '../contract/schemas.ts';
import type { Exchange } from './exchange.ts';
import { type RuledOperation, ruled } from './ruled-operation.ts';
import { SourceLines } from './source-lines.ts';

/** An operation as Prism knows it. */
export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** An operation that exchanges are held against. */
export interface CheckedOperation extends RuledOperation {
  readonly contract: CheckedContract;
  readonly prism: PrismOperation;
  /** What Prism knows of its replies, by status. */
  readonly prismReplies: ReadonlyMap<number, PrismOperation['responses'][number]>;
  /**
   * Itself as this sandbox takes it, where it is of the interface. Its requests are held against that: beyond what is
   * stated there are assumptions only, so that nothing more becomes an error (decision 054).
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

/** A contract that cannot be checked against. Nothing is called clean on its account. */
export class ContractError extends Error {}

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
  const load = (api: string, edition: Edition, judged: readonly Direction[]) => {
    const bundle = read(api, edition);
    return loadOperations(api, bundle, new SourceLines(root, api, bundle), judged);
  };
  // Where anybody may be the host, replies are held against what the interface has, without what only the sandbox
  // promises: its own are held against that before they leave (decision 053).
  const both = async (api: string) => {
    const [anybodys, ours] = await Promise.all([load(api, 'interface', ['reply']), load(api, 'sandbox', ['request'])]);
    return anybodys.map((operation, index) => ({ ...operation, ...(ours[index] && { taken: ours[index] }) }));
  };
  const ofInterface: readonly string[] = interfaceContracts;
  const every = servedContracts.map(
    async (api) =>
      [api, await (ofInterface.includes(api) ? both(api) : load(api, 'sandbox', ['request', 'reply']))] as const,
  );
  const loaded = new Map<string, readonly CheckedOperation[]>(await Promise.all(every));
  const sides = Object.entries<RegisteredApi>(registry).map(([name, { contracts }]) => {
    const operations = contracts.flatMap((api) => loaded.get(api) ?? []);
    // Version 2.0 repeats the sign-in; the first contract's counts.
    const first = (id: string) => operations.find(({ operationId }) => operationId === id);
    return [name, operations.filter((operation) => operation === first(operation.operationId))] as const;
  });
  const webhook = await loadWebhooks('rewards', read('rewards', 'interface'), root);
  return { ...Object.fromEntries(sides), webhook } as ContractSet;
}

/** What of an exchange a contract's schemas are for. */
type Direction = 'request' | 'reply';

/** A contract's webhooks as if they were paths, which is all that Prism reads. */
function loadWebhooks(api: string, bundle: Node, root: URL): Promise<readonly CheckedOperation[]> {
  const items = Object.entries((bundle.webhooks ?? {}) as Node).map(([name, item]) => [`/${name}`, item]);
  const lines = new SourceLines(root, api, bundle);
  const at = (pointer: string) => lines.at(pointer.replace(/^\/paths\/~1/, '/webhooks/'));
  return loadOperations(api, { ...bundle, paths: Object.fromEntries(items), webhooks: {} }, { at }, ['request']);
}

async function loadOperations(
  api: string,
  bundle: Node,
  lines: CheckedContract['lines'],
  judged: readonly Direction[],
): Promise<readonly CheckedOperation[]> {
  const read = contract(api, bundle);
  const checked: CheckedContract = { ...read, schemas: new Schemas(read), lines };
  const known = await getHttpOperationsFromSpec(structuredClone(bundle));
  const operations = read.operations.map((operation): CheckedOperation => {
    const found = known.find(
      ({ method, path }) => method.toUpperCase() === operation.method && path === operation.path,
    );
    if (found === undefined) throw new ContractError(`${api}: Prism does not read ${operation.operationId}`);
    // Without parameters in the path Prism would match it against its template for nothing.
    const { path, ...request } = found.request ?? {};
    const prism = (path?.length ? found : { ...found, request }) as PrismOperation;
    return {
      ...ruled(operation, checked),
      prism,
      prismReplies: new Map(prism.responses.map((reply) => [Number(reply.code), reply])),
    };
  });
  proveCompiled(api, operations, judged);
  return operations;
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
    const { body, parameters, replies, prism } = operation;
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
          complains(
            validateInput({
              resource: prism,
              element: { method: prism.method, url: { path: '/' }, headers, body: value },
            } as never),
          ),
        );
    }
    for (const [status, { schema }] of judged.includes('reply') ? replies : []) {
      if (schema !== undefined)
        prove(schema, `reply ${status}`, (value) =>
          complains(
            validateOutput({ resource: prism, element: { statusCode: status, headers, body: value } } as never),
          ),
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
function complains(outcome: {
  readonly _tag: string;
  readonly left?: readonly { readonly path?: readonly unknown[] }[];
}): boolean {
  return outcome._tag === 'Left' && (outcome.left ?? []).some(({ path }) => path?.[0] === 'body');
}
