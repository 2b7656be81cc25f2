/** Documented errors that no journey provokes, with reasons. The test fails if an exception is no longer needed. */
import type { traffic } from '../harness/proxied.ts';

export interface Exception {
  readonly reason: string;
  readonly cells: (cell: ReturnType<typeof traffic>[number]) => boolean;
}

const withoutFaults = ['sandbox', 'gateway', 'portal', 'microsite', 'dashboard', 'start'];
const workspaceCreators = ['createWorkspace', 'forkSnapshot'];
/** Operations that return 409 only in a full workspace. */
const refusedWhenFull = [
  ...['customerAuth', 'login', 'generateOtp', 'verifyOtp', 'creditPoints', 'saveRedeemDetails', 'updateRedeemStatus'],
  ...['redeemPoints', 'reversePoints', 'sendMessage', 'updateCustomer', 'updateCatalogueItem', 'setVendorOutcome'],
  ...[
    'createFault',
    'triggerPayment',
    'triggerCatalogueChange',
    'triggerWebhookTest',
    'triggerStatusUpdate',
    'triggerTimeout',
  ],
  ...['triggerVendorOutcome', 'triggerCancellation', 'replayParkedDeliveries', 'replayDelivery'],
];

export const exceptions: readonly Exception[] = [
  {
    reason: 'Needs a full workspace; see test/workspaces/full-workspace.test.ts.',
    cells: ({ operation, status }) => status === 409 && refusedWhenFull.includes(operation),
  },
  {
    reason:
      'Only a defect of the sandbox causes it: faults do not affect the control API, the gateway and pages (decision 010). ' +
      'test/contract/replies.test.ts covers a handler that throws, and a reply that breaks its contract.',
    cells: ({ api, status }) => status === 500 && withoutFaults.includes(api),
  },
  {
    reason: 'Needs a hundred workspaces; see test/workspaces/workspaces.test.ts.',
    cells: ({ operation, status }) => status === 409 && workspaceCreators.includes(operation),
  },
  {
    reason: 'Needs a snapshot with damaged files; see test/workspaces/damage.test.ts.',
    cells: ({ operation, status }) => status === 409 && operation === 'restoreSnapshot',
  },
  {
    reason: 'Needs fifty open streams; see test/control/stream.test.ts.',
    cells: ({ operation, status }) => status === 409 && operation === 'streamActivity',
  },
];
