import type { components } from '../../../generated/sandbox/types.ts';
import type { Work } from '../../jobs/work.ts';
import type { Control, ControlCall, ControlReply } from '../control.ts';

type Piece = components['schemas']['Ran']['items'][number];

/** Maximum number of work items that a reply lists. */
const most = 1000;

/** The work items that a reply lists, in execution order. */
class RanList {
  readonly items: Piece[] = [];

  add({ id, kind, at }: Work): void {
    if (this.items.length < most) this.items.push({ id, kind, at: new Date(at).toISOString() });
  }
}

/** Advances sandbox time and runs all work that falls due, in time order. */
export async function advanceClock(
  control: Control,
  call: ControlCall<'advanceClock'>,
): Promise<ControlReply<'advanceClock'>> {
  const list = new RanList();
  const ran = await control.runner.advance(call.body.seconds * 1000, (work) => list.add(work));
  return { status: 200, body: { now: control.clock.iso(), ran, items: list.items } };
}

/** Returns sandbox time. */
export async function getClock(control: Control): Promise<ControlReply<'getClock'>> {
  return { status: 200, body: { now: control.clock.iso(), mode: control.clock.mode } };
}

/** Runs all work that is due at the current instant. */
export async function settle(control: Control): Promise<ControlReply<'settle'>> {
  const list = new RanList();
  const ran = await control.runner.settle((work) => list.add(work));
  return { status: 200, body: { now: control.clock.iso(), ran, items: list.items } };
}
