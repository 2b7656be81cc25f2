import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Deletes a certification, after stopping it if it is running (OP-204). */
export async function deleteCertification(
  control: Control,
  call: ControlCall<'deleteCertification'>,
): Promise<ControlReply<'deleteCertification'>> {
  return (await control.certifications.remove(call.path.id))
    ? { status: 204 }
    : { kind: 'not_found', what: `Certification ${call.path.id}` };
}

/** Returns a certification (OP-204). */
export async function getCertification(
  control: Control,
  call: ControlCall<'getCertification'>,
): Promise<ControlReply<'getCertification'>> {
  const found = control.certifications.get(call.path.id);
  return found === undefined
    ? { kind: 'not_found', what: `Certification ${call.path.id}` }
    : { status: 200, body: found };
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
