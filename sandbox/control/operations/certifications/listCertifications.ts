import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lists the certifications, newest first (OP-205). */
export async function listCertifications(
  control: Control,
  _call: ControlCall<'listCertifications'>,
): Promise<ControlReply<'listCertifications'>> {
  return { status: 200, body: { items: control.certifications.list() } };
}
