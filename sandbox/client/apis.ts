import type { operations as AuthOperations } from '../../generated/auth/types.ts';
import type { operations as ClientOperations } from '../../generated/client/types.ts';
import { type ServedApi, serve } from '../contract/binder.ts';
import { authEnvelope, clientEnvelope, flatEnvelope } from '../contract/envelopes.ts';
import {
  authAuthenticators,
  type ClientCaller,
  type ClientHandlers,
  clientAuthenticators,
  type GatewayCaller,
  type GatewayHandlers,
  gatewayAuthenticators,
  type V2ClientOperations,
} from './access.ts';
import type { Client } from './client.ts';
import { generateOtp, verifyOtp } from './operations/customer-sign-in.ts';
import { redeemPoints, reversePoints } from './operations/ledger.ts';
import { sendMessage } from './operations/messages.ts';
import { creditPoints, getCustomerPoints, getProfileAndPoints } from './operations/points.ts';
import { saveRedeemDetails, updateRedeemStatus } from './operations/redemptions.ts';

/** One handler per operation of client.yaml. */
export const clientHandlers: Pick<ClientHandlers, keyof ClientOperations> = {
  getProfileAndPoints,
  creditPoints,
  saveRedeemDetails,
  updateRedeemStatus,
};

/** One handler per operation of auth.yaml. */
const authHandlers: Pick<ClientHandlers, keyof AuthOperations> = {
  generateOtp,
  verifyOtp,
};

/** One handler per operation of v2-client.yaml, except those of auth.yaml. */
const v2ClientHandlers: Pick<ClientHandlers, keyof V2ClientOperations> = {
  getCustomerPoints,
  redeemPoints,
  reversePoints,
};

/** One handler per operation of gateway.yaml. */
const gatewayHandlers: GatewayHandlers = {
  sendMessage,
};

/** The part of a workspace that these APIs need. */
interface HasClient {
  readonly client: Client;
}

const party = ({ client }: HasClient) => client;
const rules = { party, anyone: { kind: 'anyone' } as ClientCaller };
const bearer = { ...rules, envelope: () => clientEnvelope, authenticators: clientAuthenticators };
const basic = { ...rules, envelope: () => authEnvelope, authenticators: authAuthenticators };

/** The APIs that the client hosts: both versions for the platform, and the sign-in for the microsite. */
export const clientApi: ServedApi<HasClient, 'client' | 'auth' | 'v2-client'> = {
  client: serve({ ...bearer, handlers: clientHandlers }),
  auth: serve({ ...basic, handlers: authHandlers }),
  'v2-client': serve({ ...bearer, handlers: v2ClientHandlers }),
};

/** The message gateway. It adds messages from a partner's own server to the reference client's outbox (OP-164). */
export const gatewayApi: ServedApi<HasClient, 'gateway'> = {
  gateway: serve({
    party,
    handlers: gatewayHandlers,
    envelope: () => flatEnvelope,
    authenticators: gatewayAuthenticators,
    anyone: { kind: 'anyone' } as GatewayCaller,
  }),
};
