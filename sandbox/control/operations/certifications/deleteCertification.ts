import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Deletes a certification, and ends it first if it runs (OP-204). */
export async function deleteCertification(
  control: Control,
  call: ControlCall<'deleteCertification'>,
): Promise<ControlReply<'deleteCertification'>> {
  return (await control.certifications.remove(call.path.id)) ? { status: 204 } : { kind: 'not_found' };
}
