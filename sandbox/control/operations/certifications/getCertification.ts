import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Shows a certification (OP-204). */
export async function getCertification(
  control: Control,
  call: ControlCall<'getCertification'>,
): Promise<ControlReply<'getCertification'>> {
  const found = control.certifications.get(call.path.id);
  return found === undefined ? { kind: 'not_found' } : { status: 200, body: found };
}
