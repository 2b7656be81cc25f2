import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Returns the other side's answers to open points (OP-251). */
export async function getAnswers(control: Control): Promise<ControlReply<'getAnswers'>> {
  return { status: 200, body: control.answers.get() };
}

/** Lists the points that the interface leaves open, and the logged calls that rely on them (OP-250). */
export async function listOpenPoints(
  control: Control,
  call: ControlCall<'listOpenPoints'>,
): Promise<ControlReply<'listOpenPoints'>> {
  await control.store.flush();
  return { status: 200, body: control.findings.openPoints(call.query) };
}

/** Replaces the answers. They apply to all later checks, including checks of earlier calls (OP-251). */
export async function replaceAnswers(
  control: Control,
  call: ControlCall<'replaceAnswers'>,
): Promise<ControlReply<'replaceAnswers'>> {
  const refused = await control.answers.replace(call.body, call.trace);
  return refused ?? { status: 200, body: control.answers.get() };
}
