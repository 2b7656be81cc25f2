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
export function controlHandlers(control: Control): Handlers<operations, ControlCaller, FlatFailure, typeof flatTable> {
  return {
    advanceClock: (call) => advanceClock(control, call),
    createCatalogueItem: (call) => createCatalogueItem(control, call),
    createCustomer: (call) => createCustomer(control, call),
    createFault: (call) => createFault(control, call),
    deleteCatalogueItem: (call) => deleteCatalogueItem(control, call),
    deleteFault: (call) => deleteFault(control, call),
    deleteFaults: (call) => deleteFaults(control, call),
    deleteVendorOutcome: (call) => deleteVendorOutcome(control, call),
    getClock: (call) => getClock(control, call),
    getHealth: (call) => getHealth(control, call),
    getLedger: (call) => getLedger(control, call),
    getPlacedOrder: (call) => getPlacedOrder(control, call),
    getReconciliation: (call) => getReconciliation(control, call),
    getRedemption: (call) => getRedemption(control, call),
    getVendorOutcome: (call) => getVendorOutcome(control, call),
    getWorkspace: (call) => getWorkspace(control, call),
    listActivity: (call) => listActivity(control, call),
    listCatalogue: (call) => listCatalogue(control, call),
    listCustomers: (call) => listCustomers(control, call),
    listDeliveries: (call) => listDeliveries(control, call),
    listFaults: (call) => listFaults(control, call),
    listFindings: (call) => listFindings(control, call),
    listMagicValues: (call) => listMagicValues(control, call),
    listMessages: (call) => listMessages(control, call),
    listOperations: (call) => listOperations(control, call),
    listPlacedOrders: (call) => listPlacedOrders(control, call),
    listVendorOutcomes: (call) => listVendorOutcomes(control, call),
    listWebhookDeliveries: (call) => listWebhookDeliveries(control, call),
    replayDelivery: (call) => replayDelivery(control, call),
    replayParkedDeliveries: (call) => replayParkedDeliveries(control, call),
    resetWorkspace: (call) => resetWorkspace(control, call),
    setVendorOutcome: (call) => setVendorOutcome(control, call),
    streamActivity: (call) => streamActivity(control, call),
    settle: (call) => settle(control, call),
    triggerCatalogueChange: (call) => triggerCatalogueChange(control, call),
    triggerPayment: (call) => triggerPayment(control, call),
    triggerStatusUpdate: (call) => triggerStatusUpdate(control, call),
    triggerTimeout: (call) => triggerTimeout(control, call),
    triggerVendorOutcome: (call) => triggerVendorOutcome(control, call),
    updateCatalogueItem: (call) => updateCatalogueItem(control, call),
    updateCustomer: (call) => updateCustomer(control, call),
    createWorkspace: (call) => createWorkspace(control, call),
    deleteWorkspace: (call) => deleteWorkspace(control, call),
    listWorkspaces: (call) => listWorkspaces(control, call),
    createSnapshot: (call) => createSnapshot(control, call),
    listSnapshots: (call) => listSnapshots(control, call),
    deleteSnapshot: (call) => deleteSnapshot(control, call),
    restoreSnapshot: (call) => restoreSnapshot(control, call),
    forkSnapshot: (call) => forkSnapshot(control, call),
    updateWorkspace: (call) => updateWorkspace(control, call),
  };
}
