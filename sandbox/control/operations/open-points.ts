import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Shows what the other side has answered to open points (OP-251). */
export async function getAnswers(control: Control): Promise<ControlReply<'getAnswers'>> {
  return { status: 200, body: control.answers.get() };
}

/** Shows what the interface leaves open, and which calls of the log rely on it (OP-250). */
export async function listOpenPoints(
  control: Control,
  call: ControlCall<'listOpenPoints'>,
): Promise<ControlReply<'listOpenPoints'>> {
  await control.store.flush();
  return { status: 200, body: control.findings.openPoints(call.query) };
}

/** Replaces the answers; they count for everything that is checked afterwards, also for earlier calls (OP-251). */
export async function replaceAnswers(
  control: Control,
  call: ControlCall<'replaceAnswers'>,
): Promise<ControlReply<'replaceAnswers'>> {
  const refused = await control.answers.replace(call.body, call.trace);
  return refused ?? { status: 200, body: control.answers.get() };
}
