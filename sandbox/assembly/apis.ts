import { type RegisteredApi, registry, type ServerName } from '../apis/registry.ts';
import { clientApi, gatewayApi } from '../client/apis.ts';
import type { Client } from '../client/client.ts';
import type { Watch } from '../contract/api.ts';
import { type BoundOperation, bind, type ServedApi, type ServedContract } from '../contract/binder.ts';
import type { Contract } from '../contract/document.ts';
import { Routes } from '../contract/routes.ts';
import { type LoadedContract, loadContract } from '../contract/schemas.ts';
import { controlApi } from '../control/api.ts';
import type { Control } from '../control/control.ts';
import { generalApi, rewardsApi } from '../platform/apis.ts';
import type { Platform } from '../platform/platform.ts';
import type { FaultHost } from '../runtime/faults.ts';
import { type Pages, webApis } from './web.ts';

/**
 * Returns a contract without the operations in `served`, which another contract of the same API serves. Returns the
 * contract itself if no operation is removed. Only the security schemes of the remaining operations are included, so
 * that the binder requires exactly their handlers and authenticators.
 */
export function partOf<C extends Contract>(contract: C, served: ReadonlySet<string>): C {
  const operations = contract.operations.filter(({ operationId }) => !served.has(operationId));
  if (operations.length === contract.operations.length) return contract;
  return { ...contract, operations, securitySchemes: [...new Set(operations.flatMap(({ security }) => security))] };
}

/** A registered API with the operations that it serves, one part per contract. */
export interface LoadedApi extends RegisteredApi {
  readonly name: string;
  readonly parts: readonly LoadedContract[];
}

/** The parties of a workspace that host operations. */
export interface Hosts extends Pages {
  readonly platform: Platform;
  readonly client: Client;
  readonly control: Control;
}

/** A loaded API whose operations have handlers, with the rules for unknown paths. It serves all workspaces. */
export interface MountedApi extends LoadedApi, Pick<ServedContract<Hosts>, 'party' | 'envelope' | 'admit'> {
  readonly operations: readonly BoundOperation[];
  readonly routes: Routes<BoundOperation>;
}

/**
 * Loads the contracts of every registered API. If several contracts of an API define an operation, it is served from
 * the first one (OP-01).
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

/** The handlers of every registered API. A missing one causes a compile error. */
export const servedApis: {
  readonly [Name in ServerName]: ServedApi<Hosts, (typeof registry)[Name]['contracts'][number]>;
} = {
  rewards: rewardsApi,
  client: clientApi,
  general: generalApi,
  sandbox: controlApi,
  gateway: gatewayApi,
  ...webApis,
};

/** Binds every API to its handlers, each under its own path prefix. Throws if a contract and its handlers differ. */
export function mountApis(
  apis: readonly LoadedApi[],
  served: Readonly<Record<string, ServedApi<Hosts>>>,
  watch: Watch,
): MountedApi[] {
  return apis.map((api) => {
    const { name, parts, prefix, ofInterface: meetsFaults } = api;
    const contracts = present(served[name], `${name} has no handlers`);
    const handled = ({ api: contract }: LoadedContract) =>
      present(contracts[contract], `${name} has no handlers for ${contract}`);
    const operations = parts.flatMap((contract) => bind({ ...handled(contract), contract, meetsFaults }, watch));
    const { party, envelope, admit } = handled(present(parts[0], `${name} has no contract`));
    return {
      ...api,
      operations,
      routes: new Routes(operations, prefix),
      party,
      envelope,
      ...(admit && { admit }),
    };
  });
}

/**
 * Returns the operations of the interface that the client and the platform host, in this order, with their paths at the
 * sandbox (OP-69).
 */
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

/** Returns the operations that can have faults (of the interface, and the webhook), with the receiver of their calls. */
export function faultTargets(apis: readonly LoadedApi[]): ReadonlyMap<string, FaultHost> {
  const hosted = hostedOperations(apis).map(({ operation, hosted_by }) => [operation, hosted_by] as const);
  return new Map<string, FaultHost>([...hosted, ['catalogueUpdated', 'subscriber']]);
}

function present<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem);
  return value;
}
