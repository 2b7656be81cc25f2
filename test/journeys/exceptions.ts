/** Documented errors that no journey brings about, and why. An exception that is not needed any more fails. */
import type { traffic } from '../harness/proxied.ts';

export interface Exception {
  readonly reason: string;
  readonly cells: (cell: ReturnType<typeof traffic>[number]) => boolean;
}

const withoutFaults = ['sandbox', 'gateway', 'portal', 'microsite', 'dashboard', 'start'];
const thatMake = ['createWorkspace', 'forkSnapshot'];
/** Operations that are refused with 409 only where a workspace is full. */
const thatFill = [
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
    reason: 'Takes a workspace that is full, which test/workspaces/full-workspace.test.ts fills.',
    cells: ({ operation, status }) => status === 409 && thatFill.includes(operation),
  },
  {
    reason:
      'Only a defect of the sandbox leads here: faults do not reach the control API, the gateway and pages (decision 010). A handler ' +
      'that throws, and a reply that breaks its contract, are in test/contract/replies.test.ts.',
    cells: ({ api, status }) => status === 500 && withoutFaults.includes(api),
  },
  {
    reason: 'Takes a hundred workspaces, which test/workspaces/workspaces.test.ts makes.',
    cells: ({ operation, status }) => status === 409 && thatMake.includes(operation),
  },
  {
    reason: 'Takes a snapshot whose files are damaged, which test/workspaces/damage.test.ts has.',
    cells: ({ operation, status }) => status === 409 && operation === 'restoreSnapshot',
  },
  {
    reason: 'Takes fifty open streams, which test/control/stream.test.ts opens.',
    cells: ({ operation, status }) => status === 409 && operation === 'streamActivity',
  },
];
