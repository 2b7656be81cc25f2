import { type ServedApi, serve } from '../contract/binder.ts';
import { flatEnvelope } from '../contract/envelopes.ts';
import { controlAuthenticators } from './access.ts';
import type { Control, ControlCaller } from './control.ts';
import { controlHandlers } from './handlers.ts';

/** The control API of a workspace, for its admin token. */
export function controlApi(control: Control, adminToken: string): ServedApi<'sandbox'> {
  const sandbox = serve({
    party: control,
    handlers: controlHandlers,
    envelope: flatEnvelope,
    authenticators: controlAuthenticators(adminToken),
    anyone: { kind: 'anyone' } as ControlCaller,
  });
  return { envelope: flatEnvelope, contracts: { sandbox } };
}
