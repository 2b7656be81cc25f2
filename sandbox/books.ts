import { type ClientBooks, clientSpec } from './client/books.ts';
import { type PlatformBooks, platformSpec } from './platform/books.ts';
import { activitySpec } from './runtime/activity.ts';
import type { ClockState } from './runtime/clock.ts';
import { dueSpec } from './runtime/due.ts';
import { type FaultBooks, faultSpec } from './runtime/faults.ts';
import type { Settings } from './runtime/settings.ts';
import type { BooksSpec } from './store/store.ts';
import { type VendorBooks, vendorSpec } from './vendors/books.ts';
import { type MicrositeBooks, micrositeSpec } from './web/microsite/books.ts';

/** What the workspace itself has to remember: where it came from, what was set, and how its clock stands. */
export interface Meta {
  readonly seed: string;
  /** How often the sandbox was started on this data; each start draws from a random stream of its own. */
  readonly starts: number;
  readonly clock: ClockState;
  readonly settings: Partial<Settings>;
}

/** Everything that a workspace keeps. Each party's collections are its own; no transaction spans two parties. */
export interface Books extends PlatformBooks, ClientBooks, VendorBooks, MicrositeBooks, FaultBooks {
  readonly meta: Meta;
}

export const booksSpec: BooksSpec<Books> = {
  ...platformSpec,
  ...clientSpec,
  ...vendorSpec,
  ...micrositeSpec,
  ...activitySpec,
  ...dueSpec,
  ...faultSpec,
  meta: {},
};
