import type { IncomingMessage, ServerResponse } from 'node:http';
import { findApi } from '../apis/registry.ts';
import { setOrigin } from '../contract/api.ts';
import { NoFreeSlot } from '../workspaces/memory-slots.ts';
import { type Dispatching, kindOf, pathOf, tenantOf } from './dispatch.ts';
import { type Envelope, notHereHeader, takeEnvelope } from './instances.ts';
import { turnAway } from './refusals.ts';
import type { RemoteWorkspaces } from './remote-workspaces.ts';

interface InternalOptions extends Dispatching {
  readonly remote: RemoteWorkspaces;
}

/**
 * Serves the calls that other instances forward (OP-208). The instance that received a call decided its origin; whether this
 * machine is exempt from the token is decided here too. A call without an envelope is refused.
 */
export function internalDispatcher(options: InternalOptions) {
  const { workspaces, remote, home: refusals, apis, boundary, limit, warn } = options;
  const apiOf = findApi(apis);
  const serve = async ({ workspace: id, origin }: Envelope, request: IncomingMessage, response: ServerResponse) => {
    setOrigin(request, { ...origin, exempt: origin.exempt && boundary.exempt });
    try {
      if (!(await remote.serveForwarded(id, { request, response }))) notHere(response);
    } catch (error) {
      if (response.headersSent) throw error;
      if (!(error instanceof NoFreeSlot)) warn(`Forwarded call to workspace ${id} failed: ${(error as Error).message}`);
      turnAway(request, response, refusals);
    }
  };
  return (request: IncomingMessage, response: ServerResponse): Promise<void> | undefined => {
    const envelope = takeEnvelope(request);
    if (envelope === undefined) {
      response.writeHead(400, { 'Content-Length': 0 }).end();
      return Promise.resolve();
    }
    const tenant = tenantOf(envelope.workspace, pathOf(request), apiOf);
    const admitted = limit.admit({ request, response }, { tenant, kind: kindOf(request, workspaces) });
    return admitted && serve(envelope, request, response).finally(admitted.end);
  };
}

/** Nothing was done: the instance that forwarded the call looks up the owner again. */
function notHere(response: ServerResponse): void {
  response.writeHead(421, { [notHereHeader]: '1', 'Content-Length': 0 }).end();
}
