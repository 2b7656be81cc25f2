import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Runs what is due at this instant. */
export async function settle(control: Control, _call: ControlCall<'settle'>): Promise<ControlReply<'settle'>> {
  const ran = await control.runner.settle();
  return { status: 200, body: { now: control.clock.iso(), ran } };
}
