import type { IncomingMessage, ServerResponse } from 'node:http';
import { originOf, setOrigin } from '../contract/api.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import type { Exchange } from './connections.ts';
import { turnAway } from './refusals.ts';

const notCertain = 'it is currently not certain that this instance owns the workspace';

/** Serves a call in a workspace that is in memory. */
export type ServeIn = (workspace: Workspace, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** How calls are served in a workspace: refused where it is not certain that this instance has it. */
export function servingIn(workspaces: Workspaces): ServeIn {
  return (workspace: Workspace, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    workspace.usage.count(response);
    // The workspace's calls to itself belong to work that waits for the same certainty.
    if (workspace.paused && !workspaces.isOwnCall(request)) {
      turnAway(request, response, workspace, notCertain);
      return Promise.resolve();
    }
    return workspace.serve(request, response);
  };
}

/** Serves a call that belongs to no workspace. If its URL has a key, the key is marked as unknown. */
export function serveNobodys(home: Workspace, serveIn: ServeIn, { request, response }: Exchange): Promise<void> {
  const origin = originOf(request);
  if (origin.addressKey !== undefined) setOrigin(request, { ...origin, addressKey: 'unknown' });
  return serveIn(home, request, response);
}
