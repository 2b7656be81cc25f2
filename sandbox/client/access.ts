import type { operations as AuthOperations } from '../../generated/auth/types.ts';
import type { operations as ClientOperations } from '../../generated/client/types.ts';
import type { operations as GatewayOperations } from '../../generated/gateway/types.ts';
import type { operations as V2Operations } from '../../generated/v2-client/types.ts';
import type { Authenticator } from '../contract/api.ts';
import type { clientTable, FlatFailure, flatTable, WrappedFailure } from '../contract/failure-tables.ts';
import type { Call, Handlers } from '../contract/types.ts';
import { basic, bearer, sameSecret } from '../runtime/tokens.ts';
import type { Client } from './client.ts';
import type { ClientLookup } from './collections.ts';

/** The client's half of the version 2.0 API, without the operations that auth.yaml already has. */
export type V2ClientOperations = Omit<V2Operations, keyof AuthOperations>;
type Operations = ClientOperations & AuthOperations & V2ClientOperations;

/** The handlers of the client's APIs, with the input and the result of each. */
export type ClientHandlers = Handlers<Operations, Client, ClientCaller, WrappedFailure, typeof clientTable>;
export type ClientCall<Id extends keyof Operations> = Call<Operations[Id], ClientCaller>;
export type ClientReply<Id extends keyof Operations> = Awaited<ReturnType<ClientHandlers[Id]>>;

/** The handlers of the message gateway, with the input and the result of each. */
export type GatewayHandlers = Handlers<GatewayOperations, Client, GatewayCaller, FlatFailure, typeof flatTable>;
export type GatewayCall<Id extends keyof GatewayHandlers> = Call<GatewayOperations[Id], GatewayCaller>;
export type GatewayReply<Id extends keyof GatewayHandlers> = Awaited<ReturnType<GatewayHandlers[Id]>>;

/** A caller of the client: the platform, for a customer or for itself; the microsite; or an unknown caller. */
export type ClientCaller =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'customer'; readonly uid: string }
  | { readonly kind: 'service' }
  | { readonly kind: 'microsite' };

/** A caller of the message gateway: an authenticated sender or an unknown caller. */
export type GatewayCaller = { readonly kind: 'anyone' | 'sender' };

/** The authenticators of client.yaml: the customer's JWT and the service token, as Bearer (OP-17, OP-19). */
export const clientAuthenticators: Record<string, Authenticator<Client, ClientCaller>> = {
  customerJwt: async (client, authorization) => {
    const claims = await client.customerTokens.check(bearer(authorization));
    return claims && { kind: 'customer', uid: claims.sub };
  },
  serviceToken: async (client, authorization) =>
    sameSecret(bearer(authorization) ?? '', client.serviceToken) ? { kind: 'service' } : undefined,
};

/** The authenticator of auth.yaml: the microsite's Basic credentials. */
export const authAuthenticators: Record<string, Authenticator<Client, ClientCaller>> = {
  basic: async (client, authorization) => {
    const given = basic(authorization) ?? { username: '', password: '' };
    // Compare both, so that the response time reveals nothing about either.
    const holds = [
      sameSecret(given.username, client.basic.username),
      sameSecret(given.password, client.basic.password),
    ];
    return holds.every(Boolean) ? { kind: 'microsite' } : undefined;
  },
};

/** The authenticator of gateway.yaml: the workspace's gateway token, as Bearer (OP-164). */
export const gatewayAuthenticators: Record<string, Authenticator<Client, GatewayCaller>> = {
  gatewayToken: async ({ gatewayToken }, authorization) =>
    sameSecret(bearer(authorization) ?? '', gatewayToken) ? { kind: 'sender' } : undefined,
};

/** Returns the customer, or the failure. A customer token grants access only to its own customer (OP-17, OP-44). */
export function customerFor(reader: ClientLookup, caller: ClientCaller, uid: string) {
  if (caller.kind === 'customer' && caller.uid !== uid) return { kind: 'token_invalid' } as const;
  return reader.get('customers', uid) ?? ({ kind: 'unknown_customer' } as const);
}

/** Returns the failure for an invalid number in the body. `where` names the field. */
export function mandatoryDetails(where: string, problem = 'must be a whole number as text') {
  return { kind: 'mandatory_details', where, problem } as const;
}

/** Returns the failure for a project code that is not the workspace's. `where` names the field (OP-122). */
export function unknownProject(where: string) {
  return { kind: 'unknown_project', where, problem: 'must be the project code in the profile' } as const;
}
