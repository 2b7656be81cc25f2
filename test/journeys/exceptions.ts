/** Documented errors that no journey brings about, and why. An exception that is not needed any more fails. */
import type { traffic } from '../harness/proxied.ts';

export interface Exception {
  readonly reason: string;
  readonly cells: (cell: ReturnType<typeof traffic>[number]) => boolean;
}

const withoutFaults = ['sandbox', 'gateway', 'portal', 'microsite', 'dashboard', 'assets'];
const thatMake = ['createWorkspace', 'forkSnapshot'];

export const exceptions: readonly Exception[] = [
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
