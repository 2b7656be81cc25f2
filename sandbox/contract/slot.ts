import type { ServerResponse } from 'node:http';

/** What counts a call among those in service. */
export interface Slot {
  /** Releases the slot while the call only waits, and takes it again afterwards. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

const slotKey = Symbol('slot');

type Counted = ServerResponse & { [slotKey]?: Slot };

/** Notes the slot of a call, when it is admitted. */
export function noteSlot(response: Counted, slot: Slot): void {
  response[slotKey] = slot;
}

/** The slot of the call that this is the reply to; undefined where nobody counts it. */
export function slotOf(response: Counted): Slot | undefined {
  return response[slotKey];
}
