import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Tells that the sandbox takes calls and stores what they do (OP-94). */
export async function getHealth(control: Control, _call: ControlCall<'getHealth'>): Promise<ControlReply<'getHealth'>> {
  if (control.store.gaveUp !== undefined) return { kind: 'store_gave_up' };
  return { status: 200, body: { status: 'ok', version: control.version } };
}
