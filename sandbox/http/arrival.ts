import type { IncomingMessage } from 'node:http';
import { findApi, isAddressed, isKey, registry, splitAddress } from '../apis/registry.ts';
import type { MountedApi } from '../assembly/apis.ts';
import { docsPrefix } from '../assembly/docs-site.ts';
import type { ForwardedCalls } from '../cluster/cluster-member.ts';
import type { Entrance, RemoteWorkspaces, WorkspaceRef } from '../cluster/remote-workspaces.ts';
import type { ArrivingCall } from '../contract/api.ts';
import { bodyOf } from '../contract/body.ts';
import type { Operation } from '../contract/document.ts';
import { type Boundary, callerOf, outgoingHeader, ownCallHeader } from '../runtime/caller.ts';
import { digest, workspacePlaceOf } from '../runtime/tokens.ts';
import { assetsPrefix } from '../sites/assets.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { WorkspaceGone, type WorkspaceHandle } from '../workspaces/workspace-handle.ts';
import { credentialInHeaders } from '../workspaces/workspace-index.ts';
import type { Addressee, Arrival, CallContext, Step } from './call-state.ts';
import type { FairQueue } from './fair-queue.ts';
import { turnAway } from './refusals.ts';

/** Path of health checks, which are answered under any load. */
const healthPath = `${registry.sandbox.prefix}/health`;
const clientPath = `${registry.client.prefix}/`;
const walletPath = `${registry.rewards.prefix}/getwalletdetail`;

/** The tenant of all callers whose credential matches no workspace, so that they use no slot of a workspace. */
const anonymousShare = 'anonymous';

const notLoaded = 'cannot load the data of the workspace; the terminal of the sandbox shows the reason';
const notBack = 'the workspace is not in memory and cannot be loaded now';
const notCertain = 'it is currently not certain that this instance owns the workspace';

/** Returns whether the sandbox itself calls the client at this path, to finish work in progress. */
export const isInternal = (path: string) => path.startsWith(clientPath);

/** The dependencies that route calls to workspaces. */
export interface ArrivalParts {
  readonly workspaces: Workspaces;
  /** Answers calls to no workspace, and calls that every instance answers identically. */
  readonly home: Workspace;
  readonly apis: readonly MountedApi[];
  readonly boundary: Boundary;
  readonly warn: (message: string) => void;
  /** Whether other machines can reach the sandbox, so that calls without a registered credential must not reach the demo workspace. */
  readonly isReachedByOthers?: boolean | undefined;
  /** Handles calls to workspaces of other instances. `undefined` if this process has all workspaces. */
  readonly remote?: RemoteWorkspaces | undefined;
}

/**
 * Routes a call (OP-77) to the workspace in its URL. If the URL contains none, the credential selects the workspace. A call without
 * a registered credential is routed to the demo workspace, which refuses it like any other (OP-63). If other machines can reach the
 * sandbox, such a call is routed to no workspace.
 */
export function arrivalOfCallers(parts: ArrivalParts): Arrival {
  const { workspaces, apis, boundary, remote } = parts;
  const apiOf = findApi(apis);
  const enter = enteringBy(parts);
  const find = (credential: string | undefined) =>
    credential === undefined ? undefined : workspaces.findByCredential(credential);
  const byCredential = (credential: string | undefined, handle: WorkspaceHandle | undefined): Addressee => {
    const isHere =
      handle !== undefined || remote === undefined || (parts.isReachedByOthers && credential === undefined);
    return isHere ? { handle } : { ref: remote.refOf(credential) };
  };
  const byKey = (key: string, api: MountedApi | undefined): Addressee => {
    if (api === undefined || !isAddressed(api) || !isKey(key)) return 'nobody';
    const handle = workspaces.findByCredential(key);
    if (handle !== undefined) return { handle };
    return remote === undefined ? 'nobody' : { ref: { key: digest(key) } };
  };
  return {
    address({ req, state }, next) {
      const { key, url } = splitAddress(req.url ?? '/');
      // Later steps see the URL without the key. Routes, log and limits identify the APIs by their own paths.
      req.url = url;
      const path = pathOf(req);
      state.api = apiOf(path);
      state.key = key;
      if (key !== undefined) state.to = byKey(key, state.api);
      else if (state.api?.credential === 'address') {
        const credential = credentialOfPage(url);
        state.to = byCredential(credential, find(credential));
      } else state.to = byCredential(credentialInHeaders(req.headers), workspaces.findByHeaders(req));
      state.tenant = shareOf(state.to, remote);
      if (remote !== undefined && key === undefined && isOfEverybody(path)) state.to = 'every instance';
      return next();
    },
    caller({ req, state }, next) {
      const origin = callerOf(req, req.url ?? '', boundary);
      state.origin = state.key === undefined ? origin : { ...origin, addressKey: 'known' };
      return next();
    },
    workspace: inWorkspace(async (ctx) => {
      const { api, operation, key, to } = ctx.state;
      const field = operation && api?.inBody?.[operation.operation.operationId];
      if (field === undefined || key !== undefined) return enter(to, ctx);
      const json = await bodyOf(ctx.req).json();
      const credential = 'value' in json ? credentialIn(json.value, field) : undefined;
      return enter(byCredential(credential, find(credential)), ctx);
    }),
  };
}

/** Returns a step that serves a call in the workspace that `find` enters. If `find` returns none, it has already answered the call. */
export function inWorkspace(find: (ctx: CallContext) => Promise<Workspace | undefined>): Step {
  return async (ctx, next) => {
    const workspace = await find(ctx);
    if (workspace === undefined) {
      ctx.respond = false;
      return;
    }
    ctx.state.workspace = workspace;
    try {
      await next();
    } finally {
      workspace.usage.endCall();
    }
  };
}

/** Returns the functions that admit calls to workspaces. A workspace refuses calls while it is not certain that this instance owns it. */
export function entranceOf({ workspaces, home }: TurnParts): Entrance {
  const enter: Entrance['enter'] = (workspace, { req, res }) => {
    workspace.usage.beginCall(res);
    // A workspace's calls to itself pass, because they belong to work that already waits for the same certainty.
    if (!workspace.paused || workspaces.isOwnCall(req)) return workspace;
    turnAway(req, res, workspace, notCertain);
    workspace.usage.endCall();
    return undefined;
  };
  return {
    enter,
    enterAsNobody(call) {
      const { origin } = call.state;
      // Any key in the URL is unknown.
      call.state.origin = { ...origin, addressKey: origin.addressKey === undefined ? 'missing' : 'unknown' };
      return enter(home, call);
    },
    refuse: ({ req, res }, why) => turnAway(req, res, home, why),
  };
}

/** Returns a function that admits a call to its workspace, which is loaded if it is not in memory. */
function enteringBy(parts: ArrivalParts) {
  const { workspaces, home, warn, isReachedByOthers, remote } = parts;
  const { enter, enterAsNobody, refuse } = entranceOf(parts);
  const bringBack = async (handle: WorkspaceHandle | undefined, call: ArrivingCall): Promise<Workspace | undefined> => {
    if (handle?.loadFailure !== undefined) return refuse(call, notLoaded);
    try {
      return await handle?.use(async (workspace) => enter(workspace, call));
    } catch (error) {
      // The workspace was deleted meanwhile.
      if (error instanceof WorkspaceGone) return enterAsNobody(call);
      warn(`Cannot load workspace ${handle?.id}: ${(error as Error).message}`);
      return refuse(call, notBack);
    }
  };
  const enterRemote = (to: WorkspaceRef, call: ArrivingCall) =>
    // A former owner's calls to itself must not run on the new owner, which has already finished that work.
    call.req.headers[ownCallHeader] === undefined ? remote?.enter(to, call) : refuse(call, notBack);
  const enterOf = (handle: WorkspaceHandle | undefined, call: ArrivingCall) => {
    const running = handle?.running;
    if (running !== undefined && (remote === undefined || !running.gaveUp)) return enter(running, call);
    return remote === undefined ? bringBack(handle, call) : enterRemote({ id: handle?.id ?? 'demo' }, call);
  };
  return async (to: Addressee, call: ArrivingCall): Promise<Workspace | undefined> => {
    if (to === 'every instance') return enter(home, call);
    if (to === 'nobody') return enterAsNobody(call);
    if ('ref' in to) return enterRemote(to.ref, call);
    const isUnregistered = to.handle === undefined && pathOf(call.req) !== healthPath;
    if (isReachedByOthers && isUnregistered) return enterAsNobody(call);
    return enterOf(to.handle ?? workspaces.get('demo'), call);
  };
}

/** Routes calls that other instances forward (OP-208) to their workspaces. */
export function arrivalOfInstances(apis: readonly MountedApi[], { take, enter }: ForwardedCalls): Arrival {
  const apiOf = findApi(apis);
  return {
    address(ctx, next) {
      const id = take(ctx);
      if (id === undefined) {
        ctx.respond = false;
        return;
      }
      ctx.state.api = apiOf(ctx.path);
      ctx.state.tenant = id;
      return next();
    },
    caller: (_, next) => next(),
    workspace: inWorkspace((ctx) => enter(ctx.state.tenant, ctx)),
  };
}

/** The registry that recognizes calls without a slot, and the workspace that refuses calls under overload. */
interface TurnParts {
  readonly workspaces: Pick<Workspaces, 'isOwnCall'>;
  readonly home: Workspace;
}

/** Returns a step in which each call waits for a slot. Under overload, `home` refuses the call. */
export function takeTurn(queue: FairQueue, { workspaces, home }: TurnParts): Step {
  return async (ctx, next) => {
    const { req, path, state } = ctx;
    // A workspace's call to itself never waits, because it belongs to work that was already admitted.
    if (path === healthPath || workspaces.isOwnCall(req)) return next();
    const isTurn = await queue.serve(ctx, `${state.tenant} ${partOf(ctx)}`, next);
    if (isTurn) return;
    ctx.respond = false;
    // The connection may have closed meanwhile, for example because the body was not valid HTTP.
    if (req.socket.writable) turnAway(req, ctx.res, home);
  };
}

/**
 * Returns the part of the workspace that a call belongs to. Each part is a separate tenant of the queue. Orders therefore do not
 * wait behind large reads, and diagnostic calls do not wait behind orders. Small reads are reads whose cost does not depend on the
 * amount of stored data: files, and control API reads without a page limit or a stream. `marked` calls claim without proof to be
 * the workspace's own, for example after a proxy.
 */
function partOf({ req, method, path, state: { api, operation } }: CallContext): string {
  const isRead = method === 'GET';
  if (isFile(path)) return isRead ? 'small reads' : 'control';
  if (api?.host === 'sandbox') return isRead && isSmall(operation?.operation) ? 'small reads' : 'control';
  if (isRead && (api?.credential === 'address' || path === walletPath)) return 'pages';
  return isInternal(path) && req.headers[outgoingHeader] !== undefined ? 'marked' : 'parties';
}

function isSmall(read: Operation | undefined): boolean {
  return read?.replies.get(200)?.stream === false && read.parameters.every(({ name }) => name !== 'limit');
}

/** Returns whether every instance answers a path identically: health checks, documentation, and page assets. */
function isOfEverybody(path: string): boolean {
  return path === '/' || path === healthPath || isFile(path);
}

function isFile(path: string): boolean {
  return path.startsWith(docsPrefix) || path.startsWith(`${assetsPrefix}/`);
}

/** Returns the tenant that a call belongs to. All callers without a registered credential are one tenant. */
function shareOf(to: Addressee, remote: RemoteWorkspaces | undefined): string {
  if (typeof to === 'string') return anonymousShare;
  return ('handle' in to ? to.handle?.id : remote?.shareOf(to.ref)) ?? anonymousShare;
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** Returns the credential in the address of a page: the session in the path or, without a session, the entry token in the query. */
function credentialOfPage(url: string): string | undefined {
  const session = /^\/\w+\/s\/([^/?]+)/.exec(url)?.[1];
  const query = new URLSearchParams(url.split('?')[1]);
  return session === undefined ? (query.get('token') ?? undefined) : workspacePlaceOf(session);
}

function credentialIn(body: unknown, field: string): string | undefined {
  const value = (body as Readonly<Record<string, unknown>> | null)?.[field];
  return typeof value === 'string' ? value : undefined;
}
