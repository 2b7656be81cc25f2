import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Tells that the sandbox takes calls. */
export async function getHealth(control: Control, _call: ControlCall<'getHealth'>): Promise<ControlReply<'getHealth'>> {
  return { status: 200, body: { status: 'ok', version: control.version } };
}
