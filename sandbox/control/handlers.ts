import type { operations } from '../../generated/sandbox/types.ts';
import type { flatTable } from '../contract/envelopes.ts';
import type { FlatFailure } from '../contract/failures.ts';
import type { Handlers } from '../contract/types.ts';
import type { Control, ControlCaller } from './control.ts';
import { advanceClock } from './operations/advanceClock.ts';
import { createCatalogueItem } from './operations/createCatalogueItem.ts';
import { createCustomer } from './operations/createCustomer.ts';
import { createFault } from './operations/createFault.ts';
import { createSnapshot } from './operations/createSnapshot.ts';
import { createWorkspace } from './operations/createWorkspace.ts';
import { deleteCatalogueItem } from './operations/deleteCatalogueItem.ts';
import { deleteFault } from './operations/deleteFault.ts';
import { deleteFaults } from './operations/deleteFaults.ts';
import { deleteSnapshot } from './operations/deleteSnapshot.ts';
import { deleteVendorOutcome } from './operations/deleteVendorOutcome.ts';
import { deleteWorkspace } from './operations/deleteWorkspace.ts';
import { forkSnapshot } from './operations/forkSnapshot.ts';
import { getClock } from './operations/getClock.ts';
import { getHealth } from './operations/getHealth.ts';
import { getLedger } from './operations/getLedger.ts';
import { getPlacedOrder } from './operations/getPlacedOrder.ts';
import { getReconciliation } from './operations/getReconciliation.ts';
import { getRedemption } from './operations/getRedemption.ts';
import { getVendorOutcome } from './operations/getVendorOutcome.ts';
import { getWorkspace } from './operations/getWorkspace.ts';
import { listActivity } from './operations/listActivity.ts';
import { listCatalogue } from './operations/listCatalogue.ts';
import { listCustomers } from './operations/listCustomers.ts';
import { listDeliveries } from './operations/listDeliveries.ts';
import { listFaults } from './operations/listFaults.ts';
import { listFindings } from './operations/listFindings.ts';
import { listMagicValues } from './operations/listMagicValues.ts';
import { listMessages } from './operations/listMessages.ts';
import { listOperations } from './operations/listOperations.ts';
import { listPlacedOrders } from './operations/listPlacedOrders.ts';
import { listSnapshots } from './operations/listSnapshots.ts';
import { listVendorOutcomes } from './operations/listVendorOutcomes.ts';
import { listWebhookDeliveries } from './operations/listWebhookDeliveries.ts';
import { listWorkspaces } from './operations/listWorkspaces.ts';
import { replayDelivery } from './operations/replayDelivery.ts';
import { replayParkedDeliveries } from './operations/replayParkedDeliveries.ts';
import { resetWorkspace } from './operations/resetWorkspace.ts';
import { restoreSnapshot } from './operations/restoreSnapshot.ts';
import { settle } from './operations/settle.ts';
import { setVendorOutcome } from './operations/setVendorOutcome.ts';
import { streamActivity } from './operations/streamActivity.ts';
import { triggerCatalogueChange } from './operations/triggerCatalogueChange.ts';
import { triggerPayment } from './operations/triggerPayment.ts';
import { triggerStatusUpdate } from './operations/triggerStatusUpdate.ts';
import { triggerTimeout } from './operations/triggerTimeout.ts';
import { triggerVendorOutcome } from './operations/triggerVendorOutcome.ts';
import { updateCatalogueItem } from './operations/updateCatalogueItem.ts';
import { updateCustomer } from './operations/updateCustomer.ts';
import { updateWorkspace } from './operations/updateWorkspace.ts';

/** One handler for each operation of sandbox.yaml. */
export const controlHandlers: Handlers<operations, Control, ControlCaller, FlatFailure, typeof flatTable> = {
  advanceClock,
  createCatalogueItem,
  createCustomer,
  createFault,
  deleteCatalogueItem,
  deleteFault,
  deleteFaults,
  deleteVendorOutcome,
  getClock,
  getHealth,
  getLedger,
  getPlacedOrder,
  getReconciliation,
  getRedemption,
  getVendorOutcome,
  getWorkspace,
  listActivity,
  listCatalogue,
  listCustomers,
  listDeliveries,
  listFaults,
  listFindings,
  listMagicValues,
  listMessages,
  listOperations,
  listPlacedOrders,
  listVendorOutcomes,
  listWebhookDeliveries,
  replayDelivery,
  replayParkedDeliveries,
  resetWorkspace,
  setVendorOutcome,
  streamActivity,
  settle,
  triggerCatalogueChange,
  triggerPayment,
  triggerStatusUpdate,
  triggerTimeout,
  triggerVendorOutcome,
  updateCatalogueItem,
  updateCustomer,
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  createSnapshot,
  listSnapshots,
  deleteSnapshot,
  restoreSnapshot,
  forkSnapshot,
  updateWorkspace,
};
