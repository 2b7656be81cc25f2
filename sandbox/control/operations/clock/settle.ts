import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { RanList } from '../../ran.ts';

/** Runs what is due at this instant. */
export async function settle(control: Control, _call: ControlCall<'settle'>): Promise<ControlReply<'settle'>> {
  const list = new RanList();
  const ran = await control.runner.settle((work) => list.add(work));
  return { status: 200, body: { now: control.clock.iso(), ran, items: list.items } };
}
