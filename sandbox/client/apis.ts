import { type ServedApi, serve } from '../contract/binder.ts';
import { authEnvelope, clientEnvelope, flatEnvelope } from '../contract/envelopes.ts';
import {
  authAuthenticators,
  type ClientCaller,
  clientAuthenticators,
  type GatewayCaller,
  gatewayAuthenticators,
} from './access.ts';
import type { Client } from './client.ts';
import { authHandlers, clientHandlers, gatewayHandlers, v2ClientHandlers } from './handlers.ts';

/** Everything that the client hosts: both versions for the platform, and the sign-in, once, for the microsite. */
export function clientApi(client: Client): ServedApi<'client' | 'auth' | 'v2-client'> {
  const rules = { party: client, anyone: { kind: 'anyone' } as ClientCaller };
  const bearer = { ...rules, envelope: clientEnvelope, authenticators: clientAuthenticators(client) };
  const basic = { ...rules, envelope: authEnvelope, authenticators: authAuthenticators(client) };
  return {
    envelope: clientEnvelope,
    contracts: {
      client: serve({ ...bearer, handlers: clientHandlers }),
      auth: serve({ ...basic, handlers: authHandlers }),
      'v2-client': serve({ ...bearer, handlers: v2ClientHandlers }),
    },
  };
}

/** The gateway that fills the same outbox for a client's own server (OP-164). */
export function gatewayApi(client: Client): ServedApi<'gateway'> {
  const gateway = serve({
    party: client,
    handlers: gatewayHandlers,
    envelope: flatEnvelope,
    authenticators: gatewayAuthenticators(client),
    anyone: { kind: 'anyone' } as GatewayCaller,
  });
  return { envelope: flatEnvelope, contracts: { gateway } };
}
