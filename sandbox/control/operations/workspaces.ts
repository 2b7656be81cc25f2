import type { components } from '../../../generated/sandbox/types.ts';
import { type Control, type ControlCall, type ControlReply, noStore, pageAfter, usualLimit } from '../control.ts';
import { mismatches } from '../mismatches.ts';

/** Creates a workspace besides this one (OP-63). */
export async function createWorkspace(
  control: Control,
  call: ControlCall<'createWorkspace'>,
): Promise<ControlReply<'createWorkspace'>> {
  const made = await control.workspaces.create(call.body);
  return 'kind' in made ? made : { status: 201, body: made, headers: noStore };
}

/**
 * Deletes this workspace, or any for the operator of the sandbox; what may not be deleted is as unknown as none (OP-54,
 * OP-63).
 */
export async function deleteWorkspace(
  control: Control,
  call: ControlCall<'deleteWorkspace'>,
): Promise<ControlReply<'deleteWorkspace'>> {
  return (await control.workspaces.remove(call.path.id))
    ? { status: 204 }
    : { kind: 'not_found', what: `Workspace ${call.path.id}` };
}

/** Reports that the sandbox accepts calls and stores their effects (OP-94). */
export async function getHealth(control: Control): Promise<ControlReply<'getHealth'>> {
  const { gaveUp, checkpointFailure } = control.store;
  if (gaveUp !== undefined) return { kind: 'store_gave_up' };
  const failure = checkpointFailure !== undefined && { checkpoint_failure: checkpointFailure };
  return { status: 200, body: { status: 'ok', version: control.version, ...failure } };
}

/** Shows addresses, credentials and settings. */
export async function getWorkspace(control: Control): Promise<ControlReply<'getWorkspace'>> {
  return { status: 200, body: control.workspace(), headers: noStore };
}

/** Checks whether platform and microsite can call the client. */
export async function checkConnection(
  control: Control,
  call: ControlCall<'checkConnection'>,
): Promise<ControlReply<'checkConnection'>> {
  return { status: 200, body: { items: await control.checkConnection(call.query.uid) } };
}

/** Checks a workspace, or any for the operator of the sandbox: its calls, messages and points (OP-66). */
export async function checkWorkspace(
  control: Control,
  call: ControlCall<'checkWorkspace'>,
): Promise<ControlReply<'checkWorkspace'>> {
  const { id } = call.path;
  const verdict = await control.workspaces.within(id, async (checked) => {
    await checked.store.flush();
    // The comparison reads balances: such a call is no traffic of a test.
    const calls = callsOf(checked);
    const reconciliation = await mismatches(checked, call.query, call.trace);
    return { id, calls, findings: await checked.findings.list({}, call.patience(0)), reconciliation };
  });
  return verdict === undefined ? { kind: 'not_found', what: `Workspace ${id}` } : { status: 200, body: verdict };
}

/** How often operations of the interface were called. A call of the sandbox to itself is in the log at both ends. */
function callsOf({ activity, hosted }: Control): components['schemas']['OperationCalls'][] {
  const interfaces = new Set(hosted().map(({ operation }) => operation));
  const seen = new Map<string, { calls: number; succeeded: number }>();
  for (const entry of activity.after(0)) {
    if (entry.kind === 'state' || entry.operation === null || !interfaces.has(entry.operation)) continue;
    if (entry.caller === 'sandbox') continue;
    const { calls, succeeded } = seen.get(entry.operation) ?? { calls: 0, succeeded: 0 };
    const { status } = entry;
    const isSuccess = status !== null && status >= 200 && status < 300;
    seen.set(entry.operation, { calls: calls + 1, succeeded: succeeded + (isSuccess ? 1 : 0) });
  }
  return [...seen].map(([operation, counts]) => ({ operation, ...counts }));
}

/** Lists what platform and client host, and what opens it (OP-69). */
export async function listOperations(control: Control): Promise<ControlReply<'listOperations'>> {
  return { status: 200, body: { items: control.hosted() } };
}

/** Lists the workspaces that the caller may see: all for the operator of the sandbox, else the caller's own (OP-54). */
export async function listWorkspaces(
  control: Control,
  call: ControlCall<'listWorkspaces'>,
): Promise<ControlReply<'listWorkspaces'>> {
  const { after, search, limit = usualLimit } = call.query;
  const found = await control.workspaces.list({ after, search, limit: limit + 1 });
  const { items, next } = await pageAfter(found, limit, ({ created_at, id }) => `${Date.parse(created_at)}.${id}`);
  return { status: 200, body: { items, next } };
}

/** Goes back to the seed. */
export async function resetWorkspace(control: Control): Promise<ControlReply<'resetWorkspace'>> {
  await control.reset();
  return { status: 200, body: control.workspace(), headers: noStore };
}

/** Renames a workspace or gives it another life, for the operator of the sandbox; to others there is none (OP-227). */
export async function updateListedWorkspace(
  control: Control,
  call: ControlCall<'updateListedWorkspace'>,
): Promise<ControlReply<'updateListedWorkspace'>> {
  const changed = await control.workspaces.change(call.path.id, call.body);
  return changed === undefined
    ? { kind: 'not_found', what: `Workspace ${call.path.id}` }
    : { status: 200, body: changed };
}

/** Changes settings; a change counts for calls that arrive afterwards. */
export async function updateWorkspace(
  control: Control,
  call: ControlCall<'updateWorkspace'>,
): Promise<ControlReply<'updateWorkspace'>> {
  const refused = await control.changeSettings(call.body.settings, call.trace);
  return refused ?? { status: 200, body: control.workspace(), headers: noStore };
}
