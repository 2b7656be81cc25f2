import type { ClusterMember } from '../cluster/cluster-member.ts';
import type { HttpServer } from '../http/listen.ts';
import type { Timer } from '../runtime/clock.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import type { Storage } from '../workspaces/storage.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import type { Operations } from './operations.ts';

/** The parts of a running sandbox. */
interface Running {
  readonly operations: Operations | undefined;
  readonly server: HttpServer;
  readonly cluster: ClusterMember | undefined;
  readonly workspaces: Workspaces;
  /** A workspace that only refuses calls, if it is not among `workspaces`. */
  readonly apart: Workspace | undefined;
  readonly storage: Storage;
  readonly timer: Timer;
  /** Milliseconds after which calls in progress are aborted. */
  readonly milliseconds: number;
}

/** Stops a sandbox: waits for calls in progress, stores all data, and closes all resources. */
export async function stopInOrder(running: Running): Promise<void> {
  const { operations, server, cluster, workspaces, apart, storage, timer, milliseconds } = running;
  operations?.draining();
  // Connections between instances stay open, so that they do not close under a forwarded call.
  server.stopKeepAlive();
  const over = new AbortController();
  const cancel = timer(() => {
    workspaces.cut();
    over.abort();
  }, milliseconds);
  await workspaces.quiet();
  await Promise.all([server.drain(over.signal), cluster?.drain(over.signal)]);
  cancel();
  await Promise.all([server.close(), cluster?.close()]);
  await workspaces.close();
  await apart?.close();
  await storage.close();
  await operations?.close();
}
