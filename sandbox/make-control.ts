import type { Books } from './books.ts';
import type { Directory } from './client/directory.ts';
import { ClientTriggers } from './client/triggers.ts';
import type { Control } from './control/control.ts';
import type { Parties } from './parties.ts';
import { PlatformTriggers } from './platform/triggers.ts';
import type { Faults } from './runtime/faults.ts';
import type { Store } from './store/store.ts';
import { Outcomes } from './vendors/outcomes.ts';

/** What the control API needs beside the parties. */
export interface ControlSurroundings {
  readonly version: string;
  readonly store: Store<Books>;
  readonly customers: Directory;
  readonly faults: Faults;
  readonly reset: () => Promise<void>;
}

/** The parts of the parties that the control API may reach. */
export function makeControl(parties: Parties, around: ControlSurroundings): Control {
  const { clock, runner, workspace, stock, activity } = parties;
  return {
    ...around,
    clock,
    runner,
    stock,
    outcomes: new Outcomes(around.store, activity),
    triggers: makeTriggers(parties),
    workspace: () => workspace.shown(),
    changeSettings: (change, trace) => workspace.change(change, trace),
    keepClock: () => workspace.keepClock(clock.state()),
  };
}

/** The events of both parties; they stay with the party that they belong to. */
function makeTriggers(parties: Parties): Control['triggers'] {
  const client = new ClientTriggers(parties.client);
  const platform = new PlatformTriggers(parties.platform);
  return {
    payment: (input, trace) => client.payment(input, trace),
    timeout: (redeemCode, onTimeout, trace) => client.timeout(redeemCode, onTimeout, trace),
    statusUpdate: (input, trace) => platform.statusUpdate(input, trace),
    pendingLine: (redeemCode) => platform.pendingLine(redeemCode),
    fulfilNow: (redeemCode, trace) => platform.fulfilNow(redeemCode, trace),
    webhookIds: () => platform.webhookIds(),
  };
}
