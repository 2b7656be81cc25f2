import type { components } from '../../../generated/sandbox/types.ts';
import {
  type Control,
  type ControlCall,
  type ControlReply,
  deletionReply,
  noStore,
  pageAfter,
  replyWith,
  usualLimit,
} from '../control.ts';
import { mismatches } from '../mismatches.ts';

/** Creates another workspace (OP-63). */
export async function createWorkspace(
  control: Control,
  call: ControlCall<'createWorkspace'>,
): Promise<ControlReply<'createWorkspace'>> {
  const made = await control.workspaces.create(call.body);
  return 'kind' in made ? made : { status: 201, body: made, headers: noStore };
}

/**
 * Deletes this workspace, or any workspace for the operator of the sandbox. A workspace that the caller may not delete
 * is reported as unknown (OP-54, OP-63).
 */
export async function deleteWorkspace(
  control: Control,
  { path: { id } }: ControlCall<'deleteWorkspace'>,
): Promise<ControlReply<'deleteWorkspace'>> {
  return deletionReply(await control.workspaces.remove(id), `Workspace ${id}`);
}

/** Reports whether the sandbox accepts calls and stores their effects (OP-94). */
export async function getHealth(control: Control): Promise<ControlReply<'getHealth'>> {
  const { gaveUp, checkpointFailure } = control.store;
  if (gaveUp !== undefined) return { kind: 'store_gave_up' };
  const failure = checkpointFailure !== undefined && { checkpoint_failure: checkpointFailure };
  return { status: 200, body: { status: 'ok', version: control.version, ...failure } };
}

/** Returns the addresses, credentials and settings of the workspace. */
export async function getWorkspace(control: Control): Promise<ControlReply<'getWorkspace'>> {
  return { status: 200, body: control.workspace(), headers: noStore };
}

/** Checks whether the platform and the microsite can call the client. */
export async function checkConnection(
  control: Control,
  call: ControlCall<'checkConnection'>,
): Promise<ControlReply<'checkConnection'>> {
  return { status: 200, body: { items: await control.checkConnection(call.query.uid) } };
}

/** Checks the calls, messages and points of this workspace, or of any workspace for the operator of the sandbox (OP-66). */
export async function checkWorkspace(
  control: Control,
  call: ControlCall<'checkWorkspace'>,
): Promise<ControlReply<'checkWorkspace'>> {
  const { id } = call.path;
  const verdict = await control.workspaces.within(id, async (checked) => {
    await checked.store.flush();
    // Counts the calls first, because the comparison itself makes calls to read balances.
    const calls = callsOf(checked);
    const reconciliation = await mismatches(checked, call.query, call.trace);
    return { id, calls, findings: await checked.findings.list({}, call.patience(0)), reconciliation };
  });
  return replyWith(verdict, `Workspace ${id}`);
}

/** Counts the calls per operation of the interface. Calls of the sandbox to itself are logged at both ends and counted once. */
function callsOf({ activity, hosted }: Control): components['schemas']['OperationCalls'][] {
  const interfaces = new Set(hosted().map(({ operation }) => operation));
  const seen = new Map<string, { calls: number; succeeded: number }>();
  for (const entry of activity.after(0)) {
    if (entry.kind === 'state' || entry.operation === null || !interfaces.has(entry.operation)) continue;
    if (entry.caller === 'sandbox') continue;
    const { calls, succeeded } = seen.get(entry.operation) ?? { calls: 0, succeeded: 0 };
    const isSuccess = entry.status !== null && entry.status >= 200 && entry.status < 300;
    seen.set(entry.operation, { calls: calls + 1, succeeded: succeeded + (isSuccess ? 1 : 0) });
  }
  return [...seen].map(([operation, counts]) => ({ operation, ...counts }));
}

/** Lists the operations that the platform and the client host, with their security schemes (OP-69). */
export async function listOperations(control: Control): Promise<ControlReply<'listOperations'>> {
  return { status: 200, body: { items: control.hosted() } };
}

/** Lists the workspaces that the caller may see: all for the operator of the sandbox, otherwise the caller's own (OP-54). */
export async function listWorkspaces(
  control: Control,
  call: ControlCall<'listWorkspaces'>,
): Promise<ControlReply<'listWorkspaces'>> {
  const { after, search, limit = usualLimit } = call.query;
  const found = await control.workspaces.list({ after, search, limit: limit + 1 });
  const body = await pageAfter(found, limit, ({ created_at, id }) => `${Date.parse(created_at)}.${id}`);
  return { status: 200, body };
}

/** Resets the workspace to its seed. */
export async function resetWorkspace(control: Control): Promise<ControlReply<'resetWorkspace'>> {
  await control.reset();
  return { status: 200, body: control.workspace(), headers: noStore };
}

/**
 * Changes the name or the lifetime of a workspace, for the operator of the sandbox only. Other callers receive a 404
 * (OP-227).
 */
export async function updateListedWorkspace(
  control: Control,
  { path: { id }, body }: ControlCall<'updateListedWorkspace'>,
): Promise<ControlReply<'updateListedWorkspace'>> {
  return replyWith(await control.workspaces.change(id, body), `Workspace ${id}`);
}

/** Changes settings. A change applies to calls that arrive afterwards. */
export async function updateWorkspace(
  control: Control,
  call: ControlCall<'updateWorkspace'>,
): Promise<ControlReply<'updateWorkspace'>> {
  const refused = await control.changeSettings(call.body.settings, call.trace);
  return refused ?? { status: 200, body: control.workspace(), headers: noStore };
}
