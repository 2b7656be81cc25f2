/** Sandbox actions that a kill interrupts. */
import { ok } from '../harness/sandbox.ts';
import { awaitReply, type Chain, oneOf } from './kill-chain.ts';
import { copyOf, type ExpectedState, emptyState, freshNow, type Space, snapshotIds } from './known.ts';

/** An action that the process may not survive. Returns whether the call received a reply. */
type Deed = (chain: Chain, space: Space) => Promise<boolean>;

const lanes = 4;
/** Maximum number of workspaces in a chain, to limit the duration of a round. */
const mostSpaces = 4;

/** Sends orders and payments from several concurrent callers until the process ends. */
async function burst(chain: Chain, space: Space, onAnswer: () => void = () => {}): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, () => chain.spend(space, 1000, onAnswer)));
}

/** Schedules a kill before one of the next `most` file system calls. */
function armKill(chain: Chain, most: number): Promise<void> {
  return chain.child.killBefore(1 + chain.random.integer(most));
}

const ordering: Deed = async (chain, space) => {
  let remainingReplies = 1 + chain.random.integer(25);
  if (chain.random.integer(2) === 0) {
    await armKill(chain, 300);
    remainingReplies = Number.POSITIVE_INFINITY;
  }
  await burst(chain, space, () => {
    remainingReplies -= 1;
    if (remainingReplies === 0) void chain.child.kill();
  });
  return false;
};

/** Checks after the restart whether a call without a reply took a snapshot. If it did, restores the snapshot, which must be complete. */
function checkSnapshotLater(chain: Chain, space: Space, state: ExpectedState): void {
  chain.doubt(async () => {
    const added = (await snapshotIds(chain.at(space))).filter((id) => !space.snapshots.has(id));
    if (added.length > 1) throw new Error(`one call took several snapshots: ${added}`);
    for (const id of added) {
      space.snapshots.set(id, state);
      await chain.restore(space, id);
    }
  });
}

const takingASnapshot: Deed = async (chain, space) => {
  await armKill(chain, 20);
  const { state, id } = await chain.snapshot(space);
  if (id === undefined) checkSnapshotLater(chain, space, state);
  return id !== undefined;
};

const takingASnapshotWhileOthersOrder: Deed = async (chain, space) => {
  let pendingSnapshot: ReturnType<Chain['snapshot']> | undefined;
  let count = 0;
  await armKill(chain, 300);
  const start = () => {
    count += 1;
    if (count === 4) pendingSnapshot = chain.snapshot(space);
  };
  await burst(chain, space, start);
  const snapshot = await pendingSnapshot;
  if (snapshot !== undefined && snapshot.id === undefined) checkSnapshotLater(chain, space, snapshot.state);
  return snapshot?.id !== undefined;
};

/** Returns the id of an existing or new snapshot of the workspace. Advances the clock past the snapshot's time. */
async function pickSnapshot(chain: Chain, space: Space): Promise<string> {
  if (space.snapshots.size === 0) {
    await chain.snapshot(space);
    await chain.spend(space, 1);
  }
  space.expected.now = ok(await chain.at(space).control.POST('/clock/advance', { body: { seconds: 1 } })).now;
  return oneOf(chain.random, [...space.snapshots.keys()]);
}

const restoring: Deed = async (chain, space) => {
  const id = await pickSnapshot(chain, space);
  const state = space.snapshots.get(id) ?? emptyState('');
  const recordRestore = () => {
    space.expected = copyOf(state);
  };
  await armKill(chain, 20);
  const { control } = chain.at(space);
  const reply = await awaitReply(control.POST('/snapshots/{id}/restore', { params: { path: { id } } }));
  if (reply !== undefined) ok(reply);
  if (reply !== undefined) recordRestore();
  else chain.doubt(async () => void ((await nowOf(chain, space)) === state.now && recordRestore()));
  return reply !== undefined;
};

const resetting: Deed = async (chain, space) => {
  await pickSnapshot(chain, space);
  const recordReset = () => {
    space.expected = emptyState(freshNow);
  };
  await armKill(chain, 12);
  const reply = await awaitReply(chain.at(space).control.POST('/reset'));
  if (reply !== undefined) recordReset();
  else chain.doubt(async () => void ((await nowOf(chain, space)) === freshNow && recordReset()));
  return reply !== undefined;
};

async function nowOf(chain: Chain, space: Space): Promise<string> {
  return ok(await chain.at(space).control.GET('/clock')).now;
}

/** After the restart, deletes each workspace whose credentials no reply returned. Deletion proves that the workspace is complete. */
function removeUnknown(chain: Chain): void {
  chain.doubt(async () => {
    const { control } = chain.at(chain.demo);
    for (const id of await chain.listWorkspaceIds()) {
      if (chain.spaces.some(({ workspace }) => workspace.id === id)) continue;
      const { response } = await control.DELETE('/workspaces/{id}', { params: { path: { id } } });
      if (response.status !== 204) throw new Error(`the unfinished workspace ${id} answers ${response.status}`);
    }
  });
}

const makingAWorkspace: Deed = async (chain) => {
  if (chain.spaces.length >= mostSpaces) return deletingAWorkspace(chain, chain.demo);
  await armKill(chain, 25);
  const reply = await awaitReply(chain.at(chain.demo).control.POST('/workspaces', { body: { clock: 'frozen' } }));
  if (reply === undefined) removeUnknown(chain);
  else chain.spaces.push({ workspace: ok(reply), expected: emptyState(freshNow), snapshots: new Map() });
  return reply !== undefined;
};

const forking: Deed = async (chain, space) => {
  if (chain.spaces.length >= mostSpaces) return deletingAWorkspace(chain, space);
  const id = await pickSnapshot(chain, space);
  const state = space.snapshots.get(id) ?? emptyState('');
  await armKill(chain, 30);
  const reply = await awaitReply(chain.at(space).control.POST('/snapshots/{id}/fork', { params: { path: { id } } }));
  if (reply === undefined) removeUnknown(chain);
  else chain.spaces.push({ workspace: ok(reply), expected: copyOf(state), snapshots: new Map() });
  return reply !== undefined;
};

const deletingAWorkspace: Deed = async (chain, space) => {
  const others = chain.spaces.slice(1);
  if (others.length === 0) return makingAWorkspace(chain, space);
  const last = oneOf(chain.random, others);
  const forgetSpace = () => void chain.spaces.splice(chain.spaces.indexOf(last), 1);
  await armKill(chain, 15);
  const { control } = chain.at(chain.demo);
  const reply = await awaitReply(control.DELETE('/workspaces/{id}', { params: { path: { id: last.workspace.id } } }));
  if (reply?.response.status === 204) forgetSpace();
  else chain.doubt(async () => void ((await chain.listWorkspaceIds()).includes(last.workspace.id) || forgetSpace()));
  return reply !== undefined;
};

const deletingASnapshot: Deed = async (chain, space) => {
  const id = await pickSnapshot(chain, space);
  await armKill(chain, 6);
  const { control } = chain.at(space);
  const reply = await awaitReply(control.DELETE('/snapshots/{id}', { params: { path: { id } } }));
  if (reply?.response.status === 204) space.snapshots.delete(id);
  else chain.doubt(async () => void ((await snapshotIds(chain.at(space))).includes(id) || space.snapshots.delete(id)));
  return reply !== undefined;
};

const lettingTimePass: Deed = async (chain, space) => {
  await armKill(chain, 40);
  const body = { seconds: 100 };
  const reply = await awaitReply(chain.at(space).control.POST('/clock/advance', { body }));
  if (reply !== undefined) space.expected.now = ok(reply).now;
  else
    chain.doubt(async () => {
      const now = await nowOf(chain, space);
      const passed = Date.parse(now) - Date.parse(space.expected.now);
      if (passed < 0 || passed > body.seconds * 1000) throw new Error(`${passed} ms passed out of ${body.seconds} s`);
      space.expected.now = now;
    });
  return reply !== undefined;
};

const starting: Deed = async (chain) => {
  chain.dieAtStart = 1 + chain.random.integer(25);
  return false;
};

const stopping: Deed = async (chain) => {
  await armKill(chain, 15);
  await chain.child.stop();
  return false;
};

/** All actions, by the name that a failure reports. */
export const deeds: readonly (readonly [name: string, deed: Deed])[] = Object.entries({
  ordering,
  takingASnapshot,
  takingASnapshotWhileOthersOrder,
  restoring,
  resetting,
  makingAWorkspace,
  forking,
  deletingAWorkspace,
  deletingASnapshot,
  lettingTimePass,
  starting,
  stopping,
});
