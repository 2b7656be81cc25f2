import type { operations as AuthOperations } from '../../generated/auth/types.ts';
import type { operations as ClientOperations } from '../../generated/client/types.ts';
import type { operations as GatewayOperations } from '../../generated/gateway/types.ts';
import type { operations as V2Operations } from '../../generated/v2-client/types.ts';
import type { clientTable, flatTable } from '../contract/failure-tables.ts';
import type { FlatFailure, WrappedFailure } from '../contract/failures.ts';
import type { Call, DocumentedFailure, Reply } from '../contract/types.ts';
import type { ClientCaller, GatewayCaller } from './access.ts';

/** The client's half of the version 2.0 list, without what auth.yaml has already. */
export type V2ClientOperations = Omit<V2Operations, keyof AuthOperations>;
type Operations = ClientOperations & AuthOperations & V2ClientOperations;

/** What a handler of the client is given, and what it may answer. */
export type ClientCall<Id extends keyof Operations> = Call<Operations[Id], ClientCaller>;
export type ClientReply<Id extends keyof Operations> =
  | Reply<Operations[Id]>
  | DocumentedFailure<Operations[Id], WrappedFailure, typeof clientTable>;

/** The same for the message gateway. */
export type GatewayCall<Id extends keyof GatewayOperations> = Call<GatewayOperations[Id], GatewayCaller>;
export type GatewayReply<Id extends keyof GatewayOperations> =
  | Reply<GatewayOperations[Id]>
  | DocumentedFailure<GatewayOperations[Id], FlatFailure, typeof flatTable>;
