/** What a sandbox is in the middle of when it is killed. */
import { ok } from '../harness/sandbox.ts';
import { answered, type Chain, oneOf } from './kill-chain.ts';
import { copyOf, freshNow, nothingKnown, type Space, snapshotIds } from './known.ts';

/** Does something that the process may not live to answer. Returns whether it did. */
type Deed = (chain: Chain, space: Space) => Promise<boolean>;

const lanes = 4;
/** Most workspaces of a chain, so that a round stays short. */
const mostSpaces = 4;

/** Orders and payments from several callers at once, until the process is gone. */
async function burst(chain: Chain, space: Space, onAnswer: () => void = () => {}): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, () => chain.spend(space, 1000, onAnswer)));
}

/** Kills the process before one of the next `most` calls to the file system. */
function armed(chain: Chain, most: number): Promise<void> {
  return chain.child.killBefore(1 + chain.random.integer(most));
}

const ordering: Deed = async (chain, space) => {
  let left = 1 + chain.random.integer(25);
  if (chain.random.integer(2) === 0) {
    await armed(chain, 300);
    left = Number.POSITIVE_INFINITY;
  }
  await burst(chain, space, () => {
    left -= 1;
    if (left === 0) void chain.child.kill();
  });
  return false;
};

/**
 * Looks whether a snapshot came of a call that was not answered; if so it is whole, and the workspace goes back to it.
 */
function look(chain: Chain, space: Space, held: Awaited<ReturnType<Chain['snapshot']>>['held']): void {
  chain.doubt(async () => {
    const added = (await snapshotIds(chain.at(space))).filter((id) => !space.snapshots.has(id));
    if (added.length > 1) throw new Error(`of one snapshot came ${added}`);
    for (const id of added) {
      space.snapshots.set(id, held);
      await chain.restore(space, id);
    }
  });
}

const takingASnapshot: Deed = async (chain, space) => {
  await armed(chain, 20);
  const { held, id } = await chain.snapshot(space);
  if (id === undefined) look(chain, space, held);
  return id !== undefined;
};

const takingASnapshotWhileOthersOrder: Deed = async (chain, space) => {
  let taken: ReturnType<Chain['snapshot']> | undefined;
  let count = 0;
  await armed(chain, 300);
  const start = () => {
    count += 1;
    if (count === 4) taken = chain.snapshot(space);
  };
  await burst(chain, space, start);
  const snapshot = await taken;
  if (snapshot !== undefined && snapshot.id === undefined) look(chain, space, snapshot.held);
  return snapshot?.id !== undefined;
};

/** A snapshot of the workspace, an earlier one or a new one, after which time has passed. */
async function earlier(chain: Chain, space: Space): Promise<string> {
  if (space.snapshots.size === 0) {
    await chain.snapshot(space);
    await chain.spend(space, 1);
  }
  space.known.now = ok(await chain.at(space).control.POST('/clock/advance', { body: { seconds: 1 } })).now;
  return oneOf(chain.random, [...space.snapshots.keys()]);
}

const restoring: Deed = async (chain, space) => {
  const id = await earlier(chain, space);
  const held = space.snapshots.get(id) ?? nothingKnown('');
  const restored = () => {
    space.known = copyOf(held);
  };
  await armed(chain, 20);
  const { control } = chain.at(space);
  const reply = await answered(control.POST('/snapshots/{id}/restore', { params: { path: { id } } }));
  if (reply !== undefined) ok(reply);
  if (reply !== undefined) restored();
  else chain.doubt(async () => void ((await nowOf(chain, space)) === held.now && restored()));
  return reply !== undefined;
};

const resetting: Deed = async (chain, space) => {
  await earlier(chain, space);
  const reset = () => {
    space.known = nothingKnown(freshNow);
  };
  await armed(chain, 12);
  const reply = await answered(chain.at(space).control.POST('/reset'));
  if (reply !== undefined) reset();
  else chain.doubt(async () => void ((await nowOf(chain, space)) === freshNow && reset()));
  return reply !== undefined;
};

async function nowOf(chain: Chain, space: Space): Promise<string> {
  return ok(await chain.at(space).control.GET('/clock')).now;
}

/** A workspace that nobody was given the credentials of is whole, so that it can be deleted. */
function removeUnknown(chain: Chain): void {
  chain.doubt(async () => {
    const { control } = chain.at(chain.demo);
    for (const id of await chain.listedSpaces()) {
      if (chain.spaces.some(({ shown }) => shown.id === id)) continue;
      const { response } = await control.DELETE('/workspaces/{id}', { params: { path: { id } } });
      if (response.status !== 204) throw new Error(`the unfinished workspace ${id} answers ${response.status}`);
    }
  });
}

const makingAWorkspace: Deed = async (chain) => {
  if (chain.spaces.length >= mostSpaces) return deletingAWorkspace(chain, chain.demo);
  await armed(chain, 25);
  const reply = await answered(chain.at(chain.demo).control.POST('/workspaces', { body: { clock: 'frozen' } }));
  if (reply === undefined) removeUnknown(chain);
  else chain.spaces.push({ shown: ok(reply), known: nothingKnown(freshNow), snapshots: new Map() });
  return reply !== undefined;
};

const forking: Deed = async (chain, space) => {
  if (chain.spaces.length >= mostSpaces) return deletingAWorkspace(chain, space);
  const id = await earlier(chain, space);
  const held = space.snapshots.get(id) ?? nothingKnown('');
  await armed(chain, 30);
  const reply = await answered(chain.at(space).control.POST('/snapshots/{id}/fork', { params: { path: { id } } }));
  if (reply === undefined) removeUnknown(chain);
  else chain.spaces.push({ shown: ok(reply), known: copyOf(held), snapshots: new Map() });
  return reply !== undefined;
};

const deletingAWorkspace: Deed = async (chain, space) => {
  const others = chain.spaces.slice(1);
  if (others.length === 0) return makingAWorkspace(chain, space);
  const last = oneOf(chain.random, others);
  const gone = () => void chain.spaces.splice(chain.spaces.indexOf(last), 1);
  await armed(chain, 15);
  const { control } = chain.at(chain.demo);
  const reply = await answered(control.DELETE('/workspaces/{id}', { params: { path: { id: last.shown.id } } }));
  if (reply?.response.status === 204) gone();
  else chain.doubt(async () => void ((await chain.listedSpaces()).includes(last.shown.id) || gone()));
  return reply !== undefined;
};

const deletingASnapshot: Deed = async (chain, space) => {
  const id = await earlier(chain, space);
  await armed(chain, 6);
  const { control } = chain.at(space);
  const reply = await answered(control.DELETE('/snapshots/{id}', { params: { path: { id } } }));
  if (reply?.response.status === 204) space.snapshots.delete(id);
  else chain.doubt(async () => void ((await snapshotIds(chain.at(space))).includes(id) || space.snapshots.delete(id)));
  return reply !== undefined;
};

const lettingTimePass: Deed = async (chain, space) => {
  await armed(chain, 40);
  const body = { seconds: 100 };
  const reply = await answered(chain.at(space).control.POST('/clock/advance', { body }));
  if (reply !== undefined) space.known.now = ok(reply).now;
  else
    chain.doubt(async () => {
      const now = await nowOf(chain, space);
      const passed = Date.parse(now) - Date.parse(space.known.now);
      if (passed < 0 || passed > body.seconds * 1000) throw new Error(`${passed} ms passed out of ${body.seconds} s`);
      space.known.now = now;
    });
  return reply !== undefined;
};

const starting: Deed = async (chain) => {
  chain.dieAtStart = 1 + chain.random.integer(25);
  return false;
};

const stopping: Deed = async (chain) => {
  await armed(chain, 15);
  await chain.child.stop();
  return false;
};

/** All of them, those that are hit at many different points more often. */
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
