import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lists what platform and client host, and what opens it (OP-69). */
export async function listOperations(
  control: Control,
  _: ControlCall<'listOperations'>,
): Promise<ControlReply<'listOperations'>> {
  return { status: 200, body: { items: control.hosted() } };
}
