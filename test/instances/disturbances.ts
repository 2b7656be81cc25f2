/** Disturbances of instances that share a database. */
import { setTimeout as rest } from 'node:timers/promises';
import { type Group, until } from './group.ts';
import type { WorkspaceTraffic } from './workspace-traffic.ts';

/** Longer than a lease, in milliseconds. */
const longMilliseconds = 5_000;

/** Disturbs an instance. Resolves when the disturbance is over. */
export type Disturbance = (group: Group, at: number, quiet: WorkspaceTraffic) => Promise<void>;

/** Number of orders with delayed commits. It exceeds the number of commits by the workspace's next owner. */
const lateOrders = 10;

/**
 * Delays the commits of a quiet workspace's owner until another instance owns the workspace. The lease was valid when
 * the commits were sent, so only the fence can refuse them.
 */
const late: Disturbance = async (group, at, quiet) => {
  let token: string | undefined;
  await until('the quiet workspace answers', async () => {
    token = await quiet.signIn();
    return token !== undefined && (await quiet.answers(group.urls(at)));
  });
  const owner = (await group.ownerOf(quiet.id)) ?? at;
  const other = group.urls((owner + 1) % group.size);
  group.network(owner).hold();
  const delayed: Promise<void>[] = [];
  for (let sent = 0; sent < lateOrders; sent += 1) {
    delayed.push(quiet.place(token ?? '', undefined, group.urls(owner)));
    await rest(20);
  }
  await until('another instance owns the quiet workspace', async () => {
    await quiet.answers(other);
    const now = await group.ownerOf(quiet.id);
    return now !== undefined && now !== owner;
  });
  group.network(owner).release();
  await Promise.all(delayed);
  // The new owner acknowledges this order, so the final check must find it.
  await quiet.place(token ?? '', undefined, other);
};

export const disturbances: Readonly<Record<string, Disturbance>> = {
  late,
  async kill(group, at) {
    group.signal(at, 'SIGKILL');
    await group.replace(at);
  },
  async stop(group, at) {
    group.signal(at, 'SIGSTOP');
    await rest(longMilliseconds);
    group.signal(at, 'SIGCONT');
  },
  async end(group, at) {
    group.signal(at, 'SIGTERM');
    await group.replace(at);
  },
  cut: (group) => group.cut(),
  crash: (group) => group.crash(),
};
