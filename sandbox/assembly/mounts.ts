import { authAuthenticators, type ClientCaller, clientAuthenticators } from '../client/access.ts';
import type { Client } from '../client/client.ts';
import { authHandlers, clientHandlers, v2ClientHandlers } from '../client/handlers.ts';
import type { Bound, Watch } from '../contract/api.ts';
import { bind } from '../contract/binder.ts';
import { authEnvelope, clientEnvelope, flatEnvelope } from '../contract/envelopes.ts';
import type { FaultPort } from '../contract/faults.ts';
import { FaultyOperation } from '../contract/faulty-operation.ts';
import type { Mount } from '../contract/mount.ts';
import { partOf } from '../contract/part.ts';
import { type LoadedContract, loadContract } from '../contract/schemas.ts';
import { controlAuthenticators } from '../control/access.ts';
import type { Control, ControlCaller } from '../control/control.ts';
import { controlHandlers } from '../control/handlers.ts';
import {
  admit,
  charge,
  generalAuthenticators,
  rewardsAuthenticators,
  v2PlatformAuthenticators,
} from '../platform/access.ts';
import type { GeneralCaller, PlatformCaller } from '../platform/calls.ts';
import { generalHandlers, rewardsHandlers, v2PlatformHandlers } from '../platform/handlers.ts';
import { keptReplies } from '../platform/kept-replies.ts';
import type { Platform } from '../platform/platform.ts';

/** Who calls an operation that asks for no credential. */
const anyone = { kind: 'anyone' } as const;

/** The contracts that are served. Version 2.0 is one document with two hosts; its sign-in is served from `auth` (OP-01). */
export interface ServedContracts {
  readonly rewards: LoadedContract;
  readonly client: LoadedContract;
  readonly auth: LoadedContract;
  readonly v2Platform: LoadedContract;
  readonly v2Client: LoadedContract;
  readonly general: LoadedContract;
  readonly sandbox: LoadedContract;
}

/** Reads all contracts that are served. */
export function loadContracts(): ServedContracts {
  const auth = loadContract('auth');
  const v2 = loadContract('v2');
  return {
    rewards: loadContract('rewards'),
    client: loadContract('client'),
    auth,
    v2Platform: partOf(v2, 'platform'),
    v2Client: partOf(v2, 'client', auth),
    general: loadContract('general'),
    sandbox: loadContract('sandbox'),
  };
}

/** What platform and client host, in the contracts' order, with the path at the sandbox (OP-69). */
export function hostedOperations({ rewards, client, auth, v2Platform, v2Client, general }: ServedContracts) {
  const sides = {
    '/client': [client, auth, v2Client],
    '/rewards': [rewards, v2Platform],
    '/general': [general],
  } as const;
  return Object.entries(sides).flatMap(([prefix, contracts]) =>
    contracts.flatMap(({ operations }) =>
      operations.map(({ operationId: operation, api, hostedBy, method, path, security }) => {
        const hosted_by = hostedBy === 'client' ? ('client' as const) : ('platform' as const);
        return { operation, api, hosted_by, method, path: `${prefix}${path}`, security: [...security] };
      }),
    ),
  );
}

/**
 * Binds every served contract to its handlers, each under its own address (OP-01). Throws when one does not fit. Calls of the
 * parties' operations meet the faults that were set for them (OP-70).
 */
export function makeMounts(
  contracts: ServedContracts,
  parties: {
    readonly platform: Platform;
    readonly client: Client;
    readonly control: Control;
    readonly adminToken: string;
  },
  watch: Watch,
  faults: FaultPort,
): Mount[] {
  const { platform, client, control, adminToken } = parties;
  const failing = (bound: readonly Bound[], envelope: ConstructorParameters<typeof FaultyOperation>[1]) =>
    bound.map((operation) => new FaultyOperation(operation, envelope, faults));
  const rules = {
    envelope: flatEnvelope,
    authenticators: controlAuthenticators(adminToken),
    anyone: anyone as ControlCaller,
  };
  const own = bind({ ...rules, contract: contracts.sandbox, party: control, handlers: controlHandlers }, watch);
  return [
    {
      prefix: '/rewards',
      operations: failing(rewardsSide(contracts, platform, watch), flatEnvelope),
      envelope: flatEnvelope,
    },
    {
      prefix: '/client',
      operations: failing(clientSide(contracts, client, watch), clientEnvelope),
      envelope: clientEnvelope,
    },
    {
      prefix: '/general',
      operations: failing(generalSide(contracts, platform, watch), flatEnvelope),
      envelope: flatEnvelope,
    },
    { prefix: '/sandbox/v1', operations: own, envelope: flatEnvelope },
  ];
}

/** The rewards API and the platform's half of the version 2.0 list: same callers, allowlist and quota. */
function rewardsSide(contracts: ServedContracts, platform: Platform, watch: Watch): Bound[] {
  const rules = {
    party: platform,
    envelope: flatEnvelope,
    anyone: anyone as PlatformCaller,
    admit: admit(platform),
    charge: charge(platform),
    idempotency: keptReplies(platform),
    identity: (caller: PlatformCaller) => (caller.kind === 'customer' ? `customer ${caller.uid}` : caller.kind),
  };
  const authenticators = rewardsAuthenticators(platform);
  const v2Authenticators = v2PlatformAuthenticators(platform);
  const v2 = { contract: contracts.v2Platform, handlers: v2PlatformHandlers };
  return [
    ...bind({ ...rules, contract: contracts.rewards, handlers: rewardsHandlers, authenticators }, watch),
    ...bind({ ...rules, ...v2, authenticators: v2Authenticators }, watch),
  ];
}

/** The general API: callers of its own, the company's quota. */
function generalSide(contracts: ServedContracts, platform: Platform, watch: Watch): Bound[] {
  return bind(
    {
      contract: contracts.general,
      party: platform,
      handlers: generalHandlers,
      envelope: flatEnvelope,
      authenticators: generalAuthenticators(platform),
      anyone: { kind: 'anyone', uid: '' } as GeneralCaller,
      charge: charge(platform),
      idempotency: keptReplies(platform),
      identity: ({ uid }) => `user ${uid}`,
    },
    watch,
  );
}

/** Everything that the client hosts: both versions for the platform, and the sign-in, once, for the microsite. */
function clientSide(contracts: ServedContracts, client: Client, watch: Watch): Bound[] {
  const rules = { party: client, anyone: anyone as ClientCaller };
  const bearer = { ...rules, envelope: clientEnvelope, authenticators: clientAuthenticators(client) };
  const basic = { ...rules, envelope: authEnvelope, authenticators: authAuthenticators(client) };
  return [
    ...bind({ ...bearer, contract: contracts.client, handlers: clientHandlers }, watch),
    ...bind({ ...bearer, contract: contracts.v2Client, handlers: v2ClientHandlers }, watch),
    ...bind({ ...basic, contract: contracts.auth, handlers: authHandlers }, watch),
  ];
}
