import type { Books } from './books.ts';
import type { Directory } from './client/directory.ts';
import { clientPositions } from './client/positions.ts';
import type { Control } from './control/control.ts';
import type { Parties } from './parties.ts';
import { Deliveries } from './platform/deliveries.ts';
import { platformPositions } from './platform/positions.ts';
import type { Feed } from './runtime/feed.ts';
import type { Waiting } from './runtime/waiting.ts';
import type { Store } from './store/store.ts';
import { Outcomes } from './vendors/outcomes.ts';

/** What the control room is given beside the parties. */
interface Given {
  readonly version: string;
  readonly customers: Directory;
  readonly waiting: Waiting;
  readonly feed: Feed;
  /** Back to the seed. */
  readonly reset: () => Promise<void>;
}

/** The parts of the parties that the control API may reach. */
export function makeControl(
  store: Store<Books>,
  parties: Parties,
  { version, customers, waiting, feed, reset }: Given,
): Control {
  const { clock, runner, workspace, stock, activity, platform } = parties;
  return {
    version,
    clock,
    runner,
    store,
    waiting,
    feed,
    customers,
    stock,
    outcomes: new Outcomes(store, activity),
    books: { platform: () => platformPositions(store), client: () => clientPositions(store) },
    deliveries: new Deliveries(platform),
    workspace: () => workspace.shown(),
    changeSettings: (change, trace) => workspace.change(change, trace),
    reset,
    keepClock: () => workspace.keepClock(clock.state()),
  };
}
