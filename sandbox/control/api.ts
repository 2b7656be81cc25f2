import type { operations } from '../../generated/sandbox/types.ts';
import type { Authenticator } from '../contract/api.ts';
import { type ServedApi, serve } from '../contract/binder.ts';
import { flatEnvelope } from '../contract/envelopes.ts';
import type { FlatFailure, flatTable } from '../contract/failure-tables.ts';
import type { Handlers } from '../contract/types.ts';
import { bearer, sameSecret } from '../runtime/tokens.ts';
import type { Control, ControlCaller } from './control.ts';
import * as activity from './operations/activity.ts';
import * as agents from './operations/agents.ts';
import * as catalogue from './operations/catalogue.ts';
import * as certifications from './operations/certifications.ts';
import * as clock from './operations/clock.ts';
import * as customers from './operations/customers.ts';
import * as deliveries from './operations/deliveries.ts';
import * as faults from './operations/faults.ts';
import * as goingLive from './operations/going-live.ts';
import * as listener from './operations/listener.ts';
import * as openPoints from './operations/open-points.ts';
import * as orders from './operations/orders.ts';
import * as partners from './operations/partners.ts';
import * as snapshots from './operations/snapshots.ts';
import * as triggers from './operations/triggers.ts';
import * as vendorOutcomes from './operations/vendor-outcomes.ts';
import * as workspaces from './operations/workspaces.ts';

/** The handlers of all operations in sandbox.yaml, from the file of each tag. */
const controlHandlers: Handlers<operations, Control, ControlCaller, FlatFailure, typeof flatTable> = {
  ...activity,
  ...agents,
  ...catalogue,
  ...certifications,
  ...clock,
  ...customers,
  ...deliveries,
  ...faults,
  ...goingLive,
  ...listener,
  ...openPoints,
  ...orders,
  ...partners,
  ...snapshots,
  ...triggers,
  ...vendorOutcomes,
  ...workspaces,
};

/**
 * The authenticator of sandbox.yaml. It requires the workspace's admin token; only exempt calls from this machine need
 * none (OP-65).
 */
const controlAuthenticators: Record<string, Authenticator<Control, ControlCaller>> = {
  adminToken: async ({ adminToken }, authorization, { exempt }) => {
    if (authorization === undefined) return exempt ? { kind: 'local' } : undefined;
    return sameSecret(bearer(authorization) ?? '', adminToken) ? { kind: 'admin' } : undefined;
  },
};

/** The control API of a workspace, for holders of its admin token. */
export const controlApi: ServedApi<{ readonly control: Control }, 'sandbox'> = {
  sandbox: serve({
    party: ({ control }: { readonly control: Control }) => control,
    handlers: controlHandlers,
    envelope: () => flatEnvelope,
    authenticators: controlAuthenticators,
    anyone: { kind: 'anyone' } as ControlCaller,
  }),
};
