import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Tells sandbox time. */
export async function getClock(control: Control, _call: ControlCall<'getClock'>): Promise<ControlReply<'getClock'>> {
  return { status: 200, body: { now: control.clock.iso(), mode: control.clock.mode } };
}
