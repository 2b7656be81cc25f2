import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Shows what of the log breaks the contracts (OP-66). What was seen before the call is written before the reply. */
export async function listFindings(
  control: Control,
  call: ControlCall<'listFindings'>,
): Promise<ControlReply<'listFindings'>> {
  await control.store.flush();
  const { wait = 0, ...ask } = call.query;
  return { status: 200, body: await control.findings.list(ask, call.patience(wait)) };
}
