import type { operations } from '../../generated/sandbox/types.ts';
import type { Authenticator } from '../contract/api.ts';
import { type ServedApi, serve } from '../contract/binder.ts';
import { flatEnvelope } from '../contract/envelopes.ts';
import type { FlatFailure, flatTable } from '../contract/failure-tables.ts';
import type { Handlers } from '../contract/types.ts';
import { bearer, sameSecret } from '../runtime/tokens.ts';
import type { Control, ControlCaller } from './control.ts';
import { listActivity, listFindings, streamActivity } from './operations/activity.ts';
import { sendMcpMessage } from './operations/agents.ts';
import {
  createCatalogueItem,
  deleteCatalogueItem,
  listCatalogue,
  updateCatalogueItem,
} from './operations/catalogue.ts';
import {
  deleteCertification,
  getCertification,
  listCertifications,
  startCertification,
} from './operations/certifications.ts';
import { advanceClock, getClock, settle } from './operations/clock.ts';
import { createCustomer, getLedger, listCustomers, listMessages, updateCustomer } from './operations/customers.ts';
import {
  listDeliveries,
  listWebhookDeliveries,
  replayDelivery,
  replayParkedDeliveries,
} from './operations/deliveries.ts';
import { createFault, deleteFault, deleteFaults, listFaults, listMagicValues } from './operations/faults.ts';
import { getPlacedOrder, getReconciliation, getRedemption, listPlacedOrders } from './operations/orders.ts';
import {
  createSnapshot,
  deleteSnapshot,
  forkSnapshot,
  listSnapshots,
  restoreSnapshot,
} from './operations/snapshots.ts';
import {
  triggerCancellation,
  triggerCatalogueChange,
  triggerPayment,
  triggerStatusUpdate,
  triggerTimeout,
  triggerVendorOutcome,
  triggerWebhookTest,
} from './operations/triggers.ts';
import {
  deleteVendorOutcome,
  getVendorOutcome,
  listVendorOutcomes,
  setVendorOutcome,
} from './operations/vendor-outcomes.ts';
import {
  createWorkspace,
  deleteWorkspace,
  getHealth,
  getWorkspace,
  listOperations,
  listWorkspaces,
  resetWorkspace,
  updateListedWorkspace,
  updateWorkspace,
} from './operations/workspaces.ts';

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

/** The authenticator of sandbox.yaml: the workspace's admin token; without any, only this machine (OP-65). */
function controlAuthenticators(adminToken: string): Record<string, Authenticator<ControlCaller>> {
  return {
    adminToken: async (authorization, { exempt }) => {
      if (authorization === undefined) return exempt ? { kind: 'local' } : undefined;
      return sameSecret(bearer(authorization) ?? '', adminToken) ? { kind: 'admin' } : undefined;
    },
  };
}

/** One handler for each operation of sandbox.yaml, by resource. */
const controlHandlers: Handlers<operations, Control, ControlCaller, FlatFailure, typeof flatTable> = {
  getHealth,
  getWorkspace,
  updateWorkspace,
  resetWorkspace,
  listOperations,
  createWorkspace,
  listWorkspaces,
  updateListedWorkspace,
  deleteWorkspace,

  listCustomers,
  createCustomer,
  updateCustomer,
  listMessages,
  getLedger,

  listCatalogue,
  createCatalogueItem,
  updateCatalogueItem,
  deleteCatalogueItem,

  listVendorOutcomes,
  setVendorOutcome,
  getVendorOutcome,
  deleteVendorOutcome,

  createFault,
  listFaults,
  deleteFaults,
  deleteFault,
  listMagicValues,

  triggerPayment,
  triggerCatalogueChange,
  triggerStatusUpdate,
  triggerTimeout,
  triggerVendorOutcome,
  triggerWebhookTest,
  triggerCancellation,

  listActivity,
  streamActivity,
  listFindings,

  listPlacedOrders,
  getPlacedOrder,
  getRedemption,
  getReconciliation,

  listDeliveries,
  replayParkedDeliveries,
  replayDelivery,
  listWebhookDeliveries,

  getClock,
  advanceClock,
  settle,

  createSnapshot,
  listSnapshots,
  deleteSnapshot,
  restoreSnapshot,
  forkSnapshot,

  startCertification,
  listCertifications,
  getCertification,
  deleteCertification,

  sendMcpMessage,
};
