import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { RanList } from '../../ran.ts';

/** Moves sandbox time forward and runs what falls due, in time order. */
export async function advanceClock(
  control: Control,
  call: ControlCall<'advanceClock'>,
): Promise<ControlReply<'advanceClock'>> {
  const list = new RanList();
  const ran = await control.runner.advance(call.body.seconds * 1000, (work) => list.add(work));
  return { status: 200, body: { now: control.clock.iso(), ran, items: list.items } };
}
