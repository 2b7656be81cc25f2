import type { components } from '../../../generated/sandbox/types.ts';
import { type Control, type ControlCall, type ControlReply, deletionReply, noStore } from '../control.ts';

type Snapshot = components['schemas']['Snapshot'];

/** Returns a snapshot in the API's format, without its internal fields. */
function toPublicSnapshot({ id, name, at }: Snapshot): Snapshot {
  return { id, name, at };
}

/** Takes a snapshot of the workspace (OP-64). */
export async function createSnapshot(
  control: Control,
  call: ControlCall<'createSnapshot'>,
): Promise<ControlReply<'createSnapshot'>> {
  const snapshot = await control.snapshots.take(call.body.name, call.trace);
  if (snapshot === undefined) return { kind: 'limit_reached', limit: control.snapshots.most, what: 'snapshots' };
  return { status: 201, body: toPublicSnapshot(snapshot) };
}

/** Deletes a snapshot (OP-64). */
export async function deleteSnapshot(
  control: Control,
  { path: { id }, trace }: ControlCall<'deleteSnapshot'>,
): Promise<ControlReply<'deleteSnapshot'>> {
  return deletionReply(await control.snapshots.remove(id, trace), `Snapshot ${id}`);
}

/** Creates a workspace with the content of a snapshot (OP-64). */
export async function forkSnapshot(
  control: Control,
  call: ControlCall<'forkSnapshot'>,
): Promise<ControlReply<'forkSnapshot'>> {
  const made = await control.workspaces.fork(call.path.id);
  return 'kind' in made ? made : { status: 201, body: made, headers: noStore };
}

/** Lists the snapshots, oldest first (OP-64). */
export async function listSnapshots(control: Control): Promise<ControlReply<'listSnapshots'>> {
  return { status: 200, body: { items: control.snapshots.list().map(toPublicSnapshot) } };
}

/** Restores the workspace to the content of a snapshot (OP-64). */
export async function restoreSnapshot(
  control: Control,
  call: ControlCall<'restoreSnapshot'>,
): Promise<ControlReply<'restoreSnapshot'>> {
  const restored = await control.snapshots.restore(call.path.id);
  if (restored === undefined) return { kind: 'not_found', what: `Snapshot ${call.path.id}` };
  return 'kind' in restored ? restored : { status: 200, body: toPublicSnapshot(restored) };
}
