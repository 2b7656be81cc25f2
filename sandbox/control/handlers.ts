import type { operations } from '../../generated/sandbox/types.ts';
import type { flatTable } from '../contract/envelopes.ts';
import type { FlatFailure } from '../contract/failures.ts';
import type { Handlers } from '../contract/types.ts';
import type { Control, ControlCaller } from './control.ts';
import { listActivity } from './operations/activity/listActivity.ts';
import { listFindings } from './operations/activity/listFindings.ts';
import { streamActivity } from './operations/activity/streamActivity.ts';
import { createCatalogueItem } from './operations/catalogue/createCatalogueItem.ts';
import { deleteCatalogueItem } from './operations/catalogue/deleteCatalogueItem.ts';
import { listCatalogue } from './operations/catalogue/listCatalogue.ts';
import { updateCatalogueItem } from './operations/catalogue/updateCatalogueItem.ts';
import { deleteCertification } from './operations/certifications/deleteCertification.ts';
import { getCertification } from './operations/certifications/getCertification.ts';
import { listCertifications } from './operations/certifications/listCertifications.ts';
import { startCertification } from './operations/certifications/startCertification.ts';
import { advanceClock } from './operations/clock/advanceClock.ts';
import { getClock } from './operations/clock/getClock.ts';
import { settle } from './operations/clock/settle.ts';
import { createCustomer } from './operations/customers/createCustomer.ts';
import { getLedger } from './operations/customers/getLedger.ts';
import { listCustomers } from './operations/customers/listCustomers.ts';
import { listMessages } from './operations/customers/listMessages.ts';
import { updateCustomer } from './operations/customers/updateCustomer.ts';
import { listDeliveries } from './operations/deliveries/listDeliveries.ts';
import { listWebhookDeliveries } from './operations/deliveries/listWebhookDeliveries.ts';
import { replayDelivery } from './operations/deliveries/replayDelivery.ts';
import { replayParkedDeliveries } from './operations/deliveries/replayParkedDeliveries.ts';
import { createFault } from './operations/faults/createFault.ts';
import { deleteFault } from './operations/faults/deleteFault.ts';
import { deleteFaults } from './operations/faults/deleteFaults.ts';
import { listFaults } from './operations/faults/listFaults.ts';
import { listMagicValues } from './operations/faults/listMagicValues.ts';
import { getPlacedOrder } from './operations/orders/getPlacedOrder.ts';
import { getReconciliation } from './operations/orders/getReconciliation.ts';
import { getRedemption } from './operations/orders/getRedemption.ts';
import { listPlacedOrders } from './operations/orders/listPlacedOrders.ts';
import { createSnapshot } from './operations/snapshots/createSnapshot.ts';
import { deleteSnapshot } from './operations/snapshots/deleteSnapshot.ts';
import { forkSnapshot } from './operations/snapshots/forkSnapshot.ts';
import { listSnapshots } from './operations/snapshots/listSnapshots.ts';
import { restoreSnapshot } from './operations/snapshots/restoreSnapshot.ts';
import { triggerCancellation } from './operations/triggers/triggerCancellation.ts';
import { triggerCatalogueChange } from './operations/triggers/triggerCatalogueChange.ts';
import { triggerPayment } from './operations/triggers/triggerPayment.ts';
import { triggerStatusUpdate } from './operations/triggers/triggerStatusUpdate.ts';
import { triggerTimeout } from './operations/triggers/triggerTimeout.ts';
import { triggerVendorOutcome } from './operations/triggers/triggerVendorOutcome.ts';
import { triggerWebhookTest } from './operations/triggers/triggerWebhookTest.ts';
import { deleteVendorOutcome } from './operations/vendor-outcomes/deleteVendorOutcome.ts';
import { getVendorOutcome } from './operations/vendor-outcomes/getVendorOutcome.ts';
import { listVendorOutcomes } from './operations/vendor-outcomes/listVendorOutcomes.ts';
import { setVendorOutcome } from './operations/vendor-outcomes/setVendorOutcome.ts';
import { createWorkspace } from './operations/workspaces/createWorkspace.ts';
import { deleteWorkspace } from './operations/workspaces/deleteWorkspace.ts';
import { getHealth } from './operations/workspaces/getHealth.ts';
import { getWorkspace } from './operations/workspaces/getWorkspace.ts';
import { listOperations } from './operations/workspaces/listOperations.ts';
import { listWorkspaces } from './operations/workspaces/listWorkspaces.ts';
import { resetWorkspace } from './operations/workspaces/resetWorkspace.ts';
import { updateListedWorkspace } from './operations/workspaces/updateListedWorkspace.ts';
import { updateWorkspace } from './operations/workspaces/updateWorkspace.ts';

/** One handler for each operation of sandbox.yaml, by resource. */
export const controlHandlers: Handlers<operations, Control, ControlCaller, FlatFailure, typeof flatTable> = {
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
};
