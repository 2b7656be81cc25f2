import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Tells that the sandbox takes calls and stores what they do (OP-94). */
export async function getHealth(control: Control, _call: ControlCall<'getHealth'>): Promise<ControlReply<'getHealth'>> {
  const { gaveUp, checkpointFailure } = control.store;
  if (gaveUp !== undefined) return { kind: 'store_gave_up' };
  const failure = checkpointFailure !== undefined && { checkpoint_failure: checkpointFailure };
  return { status: 200, body: { status: 'ok', version: control.version, ...failure } };
}
