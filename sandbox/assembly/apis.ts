import { type RegisteredApi, registry, type ServerName } from '../apis/registry.ts';
import { clientApi, gatewayApi } from '../client/apis.ts';
import type { Client } from '../client/client.ts';
import type { Watch } from '../contract/api.ts';
import type { ServedApi } from '../contract/binder.ts';
import type { Contract } from '../contract/document.ts';
import type { FaultPort } from '../contract/faults.ts';
import { FaultyOperation } from '../contract/faulty-operation.ts';
import type { Mount } from '../contract/mount.ts';
import { type LoadedContract, loadContract } from '../contract/schemas.ts';
import { controlApi } from '../control/api.ts';
import type { Control } from '../control/control.ts';
import { generalApi, rewardsApi } from '../platform/apis.ts';
import type { Platform } from '../platform/platform.ts';
import type { FaultHost } from '../runtime/faults.ts';
import { type WebOptions, type WebParts, webApis } from './web.ts';

/**
 * A contract without the operations in `served`, which another contract of the same address serves; the contract itself if
 * nothing is left out. A part has only the security schemes that its operations name, so that the binder requires exactly
 * its handlers and authenticators.
 */
export function partOf<C extends Contract>(contract: C, served: ReadonlySet<string>): C {
  const operations = contract.operations.filter(({ operationId }) => !served.has(operationId));
  if (operations.length === contract.operations.length) return contract;
  return { ...contract, operations, securitySchemes: [...new Set(operations.flatMap(({ security }) => security))] };
}

/** A registered API with the operations that it serves, one part for each of its contracts. */
export interface LoadedApi extends RegisteredApi {
  readonly name: string;
  readonly parts: readonly LoadedContract[];
}

/** What the APIs of one workspace are served with. */
export interface Serving {
  readonly platform: Platform;
  readonly client: Client;
  readonly control: Control;
  readonly adminToken: string;
  readonly web: WebParts;
  readonly pages: WebOptions;
}

/** What serves each API, by its name. */
export type ServedApis = Readonly<Record<string, ServedApi>>;

/**
 * Loads the contracts of every registered API. What an API has twice is served from the first contract that has it
 * (OP-01).
 */
export function loadApis(apis: Readonly<Record<string, RegisteredApi>> = registry, load = loadContract): LoadedApi[] {
  return Object.entries(apis).map(([name, api]) => {
    const served = new Set<string>();
    const parts = api.contracts.map((contract) => {
      const part = partOf(load(contract), served);
      for (const { operationId } of part.operations) served.add(operationId);
      return part;
    });
    return { ...api, name, parts };
  });
}

/** The handlers of every registered API. A missing one fails the compilation. */
export function serveApis({ platform, client, control, adminToken, web, pages }: Serving): ServedApis {
  const served: { readonly [Name in ServerName]: ServedApi<(typeof registry)[Name]['contracts'][number]> } = {
    rewards: rewardsApi(platform),
    client: clientApi(client),
    general: generalApi(platform),
    sandbox: controlApi(control, adminToken),
    gateway: gatewayApi(client),
    ...webApis(web, pages),
  };
  return served;
}

/**
 * Binds every API to its handlers, each under its own address. Throws when a contract and its handlers differ. Calls of
 * the interface's operations meet the faults that were set for them (OP-70).
 */
export function makeMounts(apis: readonly LoadedApi[], served: ServedApis, watch: Watch, faults: FaultPort): Mount[] {
  return apis.map(({ name, prefix, parts, ofInterface }) => {
    const { envelope, contracts, admit } = present(served[name], `${name} has no handlers`);
    const operations = parts.flatMap((part) =>
      present(contracts[part.api], `${name} has no handlers for ${part.api}`)(part, watch),
    );
    const failing = () => operations.map((operation) => new FaultyOperation(operation, envelope, faults));
    return { prefix, envelope, operations: ofInterface ? failing() : operations, ...(admit && { admit }) };
  });
}

/** What platform and client host of the interface, the client's first, with the path at the sandbox (OP-69). */
export function hostedOperations(apis: readonly LoadedApi[]) {
  const hosted = (host: 'client' | 'platform') =>
    apis
      .filter((api) => api.ofInterface && api.host === host)
      .flatMap(({ prefix, parts }) =>
        parts.flatMap(({ operations }) =>
          operations.map(({ operationId: operation, api, method, path, security }) => {
            return { operation, api, hosted_by: host, method, path: `${prefix}${path}`, security: [...security] };
          }),
        ),
      );
  return [...hosted('client'), ...hosted('platform')];
}

/** The operations that can have faults, with who takes their calls: those of the interface, and the webhook. */
export function faultTargets(apis: readonly LoadedApi[]): ReadonlyMap<string, FaultHost> {
  const hosted = hostedOperations(apis).map(({ operation, hosted_by }) => [operation, hosted_by] as const);
  return new Map<string, FaultHost>([...hosted, ['catalogueUpdated', 'subscriber']]);
}

function present<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem);
  return value;
}
