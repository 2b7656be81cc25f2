import type { Control, ControlCall, ControlReply } from '../control.ts';
import { RanList } from '../ran.ts';

/** Moves sandbox time forward and runs what falls due, in time order. */
export async function advanceClock(
  control: Control,
  call: ControlCall<'advanceClock'>,
): Promise<ControlReply<'advanceClock'>> {
  const list = new RanList();
  const ran = await control.runner.advance(call.body.seconds * 1000, (work) => list.add(work));
  return { status: 200, body: { now: control.clock.iso(), ran, items: list.items } };
}

/** Tells sandbox time. */
export async function getClock(control: Control, _call: ControlCall<'getClock'>): Promise<ControlReply<'getClock'>> {
  return { status: 200, body: { now: control.clock.iso(), mode: control.clock.mode } };
}

/** Runs what is due at this instant. */
export async function settle(control: Control, _call: ControlCall<'settle'>): Promise<ControlReply<'settle'>> {
  const list = new RanList();
  const ran = await control.runner.settle((work) => list.add(work));
  return { status: 200, body: { now: control.clock.iso(), ran, items: list.items } };
}
