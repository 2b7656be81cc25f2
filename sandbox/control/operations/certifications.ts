import { type Control, type ControlCall, type ControlReply, deletionReply, replyWith } from '../control.ts';

/** Deletes a certification, after stopping it if it is running (OP-204). */
export async function deleteCertification(
  control: Control,
  { path: { id } }: ControlCall<'deleteCertification'>,
): Promise<ControlReply<'deleteCertification'>> {
  return deletionReply(await control.certifications.remove(id), `Certification ${id}`);
}

/** Returns a certification (OP-204). */
export async function getCertification(
  control: Control,
  { path: { id } }: ControlCall<'getCertification'>,
): Promise<ControlReply<'getCertification'>> {
  return replyWith(control.certifications.get(id), `Certification ${id}`);
}

/** Lists the certifications, newest first (OP-205). */
export async function listCertifications(control: Control): Promise<ControlReply<'listCertifications'>> {
  return { status: 200, body: { items: control.certifications.list() } };
}

/** Starts the certification of a client server (OP-204). */
export async function startCertification(
  control: Control,
  call: ControlCall<'startCertification'>,
): Promise<ControlReply<'startCertification'>> {
  const begun = await control.certifications.start(call.body);
  return 'kind' in begun ? begun : { status: 202, body: begun };
}
