import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Certifies a client server (OP-204). */
export async function startCertification(
  control: Control,
  call: ControlCall<'startCertification'>,
): Promise<ControlReply<'startCertification'>> {
  const begun = await control.certifications.start(call.body);
  return 'kind' in begun ? begun : { status: 202, body: begun };
}
