/** The path of a call, from its address to its reply. */
import Koa from 'koa';
import type { MountedApi } from '../assembly/apis.ts';
import type { Watch } from '../contract/api.ts';
import { meetFaults } from '../contract/faulty-operation.ts';
import { answer, authenticate, charge, inOrder, takeBody, takeParameters, takeSession } from '../contract/operation.ts';
import type { Boundary } from '../runtime/caller.ts';
import type { CallObserver } from '../runtime/observer.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { allowOrigins } from './allow-origins.ts';
import { takeTurn } from './arrival.ts';
import { compressReads, logCall, observe } from './call-record.ts';
import type { Application, Arrival, CallState } from './call-state.ts';
import type { FairQueue } from './fair-queue.ts';
import { findRefusal, findRoute, refuseOthers, serveFiles } from './route.ts';

/** What calls are served with. */
export interface PipelineParts {
  readonly apis: readonly MountedApi[];
  readonly workspaces: Pick<Workspaces, 'isOwnCall'>;
  /** Refuses calls that have no workspace. */
  readonly home: Workspace;
  readonly queue: FairQueue;
  readonly watch: Watch;
  readonly boundary: Pick<Boundary, 'origins'>;
  /** Folder of the built documentation; undefined if it is not served. */
  readonly docs: string | undefined;
  readonly observer?: CallObserver | undefined;
}

/** The one application of a process. Each step passes what it learns to those after it, in `ctx.state`. */
export function pipeline(arrival: Arrival, parts: PipelineParts): Application {
  const { apis, watch, boundary } = parts;
  const app = new Koa<CallState>();
  // Pages of other sites that may call: preflights, and who may read replies (OP-270).
  if (boundary.origins.length > 0) app.use(allowOrigins(boundary.origins));
  app
    // The API of the address, and the workspace that address or credential name (OP-63).
    .use(arrival.address)
    // The operation of method and path.
    .use(findRoute)
    // The turn of the call among those of all tenants; a refusal under overload (OP-83).
    .use(takeTurn(parts.queue, parts))
    // Who calls, and from where (OP-77).
    .use(arrival.caller)
    // The workspace: in memory, loaded again, or of another instance, which then answers.
    .use(arrival.workspace)
    // Whether the call is for this server at all.
    .use(findRefusal)
    // The operator's measurements and access log.
    .use(observe(parts.observer))
    // Files of pages and documentation, which end here.
    .use(serveFiles(parts.docs))
    // Trace and span (OP-42), and the entry of the activity log once the call is answered.
    .use(logCall)
    // Long replies of the control API.
    .use(compressReads)
    // Calls that are not for this server or not on the allowlist (OP-31), and calls to what is not there.
    .use(refuseOthers(apis))
    // The operation, or the fault that was set for it (OP-70).
    .use(async (ctx) => {
      ctx.state.served = await carryOut(ctx);
    });
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A stream ends when its reader leaves, or is cut off: that is its ordinary end.
    if (!['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? ''))
      watch.error(error, 'a request');
  });
  return app;
}

/** What an operation does with a call. The first step that refuses it is the last. A fault may do it twice, or not at all. */
const operation = inOrder(
  // Credentials, by the schemes of the contract (OP-37).
  authenticate,
  // The hourly quota of the company (OP-30).
  charge,
  // Parameters, the session among them, and body, against the contract.
  takeParameters,
  takeSession,
  takeBody,
  // The handler, or the stored reply to an earlier call with the same idempotency key (OP-20); the reply, against the contract.
  answer,
);

/** Carries out the operation of a call. */
export const carryOut = meetFaults(operation);
