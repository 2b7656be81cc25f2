/** The steps that process a call, from its address to its reply. */
import Koa from 'koa';
import type { MountedApi } from '../assembly/apis.ts';
import type { Watch } from '../contract/api.ts';
import { meetFaults } from '../contract/faulty-operation.ts';
import { answer, authenticate, charge, inOrder, takeBody, takeParameters, takeSession } from '../contract/operation.ts';
import type { Boundary } from '../runtime/caller.ts';
import type { CallObserver } from '../runtime/observer.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { takeTurn } from './arrival.ts';
import { compressReads, logCall, observe } from './call-record.ts';
import type { Application, Arrival, CallState, Step } from './call-state.ts';
import type { FairQueue } from './fair-queue.ts';
import { findRefusal, findRoute, refuseOthers, serveFiles } from './route.ts';

/** The dependencies of the pipeline. */
export interface PipelineParts {
  readonly apis: readonly MountedApi[];
  readonly workspaces: Pick<Workspaces, 'isOwnCall'>;
  /** Refuses calls that have no workspace. */
  readonly home: Workspace;
  readonly queue: FairQueue;
  readonly watch: Watch;
  readonly boundary: Pick<Boundary, 'origins'>;
  /** Folder of the built documentation; `undefined` if it is not served. */
  readonly docs: string | undefined;
  readonly observer?: CallObserver | undefined;
}

/** Creates the single application of a process. Each step adds its results to `ctx.state` for later steps. */
export function pipeline(arrival: Arrival, parts: PipelineParts): Application {
  const { apis, watch, boundary } = parts;
  const app = new Koa<CallState>();
  // Answer preflight requests, and let pages from allowed origins read replies (OP-270).
  if (boundary.origins.length > 0) app.use(allowOrigins(boundary.origins));
  app
    // Find the API of the address, and the workspace that the address or the credential selects (OP-63).
    .use(arrival.address)
    // Find the operation by method and path.
    .use(findRoute)
    // Wait for a slot among the calls of all tenants, or refuse the call under overload (OP-83).
    .use(takeTurn(parts.queue, parts))
    // Identify the caller and its origin (OP-77).
    .use(arrival.caller)
    // Enter the workspace, which may need to be loaded. If another instance owns it, that instance answers.
    .use(arrival.workspace)
    // Decide whether the call is for this server.
    .use(findRefusal)
    // Report the call to the operator's metrics and access log.
    .use(observe(parts.observer))
    // Serve files of pages and documentation. Such calls end here.
    .use(serveFiles(parts.docs))
    // Assign trace and span (OP-42), and log the call after the reply.
    .use(logCall)
    // Compress long replies of the control API.
    .use(compressReads)
    // Refuse calls that are not for this server, not on the allowlist (OP-31), or to an unknown path.
    .use(refuseOthers(apis))
    // Run the operation, or the fault that was set for it (OP-70).
    .use(async (ctx) => {
      ctx.state.served = await carryOut(ctx);
    });
  app.on('error', (error: NodeJS.ErrnoException) => {
    // These errors are normal. A stream ends this way when its reader disconnects or is disconnected.
    if (!['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? ''))
      watch.error(error, 'a request');
  });
  return app;
}

/** The steps of an operation. The first step that refuses the call ends it. A fault may run them twice, or not at all. */
const operation = inOrder(
  // Check credentials by the schemes of the contract (OP-37).
  authenticate,
  // Charge the hourly quota of the company (OP-30).
  charge,
  // Validate the parameters, the session and the body against the contract.
  takeParameters,
  takeSession,
  takeBody,
  // Run the handler, or use the stored reply to an earlier call with the same idempotency key (OP-20). Validate the reply.
  answer,
);

/** Runs the operation of a call, subject to the faults set for it. */
export const carryOut = meetFaults(operation);

/**
 * Returns a step that lets scripts from these origins read replies (CORS), and answers their preflight requests. Cookies are never
 * sent or set. Such a page needs the admin token, like a caller on another machine (OP-270).
 */
export function allowOrigins(origins: readonly string[]): Step {
  return (ctx, next) => {
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (!origins.includes(origin)) return next();
    ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': '*' });
    const method = ctx.get('Access-Control-Request-Method');
    if (ctx.method !== 'OPTIONS' || method === '') return next();
    ctx.status = 204;
    ctx.set({
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers'),
      // Required by browsers that block requests from public pages to private networks.
      'Access-Control-Allow-Private-Network': 'true',
    });
  };
}
