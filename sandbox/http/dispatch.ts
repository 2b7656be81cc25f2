import type { IncomingMessage, ServerResponse } from 'node:http';
import { findApi, isAddressed, isKey, registry, splitAddress } from '../apis/registry.ts';
import type { LoadedApi } from '../assembly/apis.ts';
import { docsPrefix } from '../assembly/docs-site.ts';
import type { RemoteWorkspaces, WorkspaceRef } from '../cluster/remote-workspaces.ts';
import { type CallOrigin, originOf, setOrigin } from '../contract/api.ts';
import { bodyOf } from '../contract/body.ts';
import { type Boundary, callerOf, outgoingHeader, ownCallHeader } from '../runtime/caller.ts';
import type { Exchange } from '../runtime/incoming-connections.ts';
import { digest, workspacePlaceOf } from '../runtime/tokens.ts';
import { assetsPrefix } from '../sites/assets.ts';
import { credentialInHeaders } from '../workspaces/credentials.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { Gone, type WorkspaceHandle } from '../workspaces/workspace-handle.ts';
import type { CallKind, FairQueue } from './fair-queue.ts';
import { turnAway } from './refusals.ts';

/** Health checks are answered under any load. */
const healthPath = `${registry.sandbox.prefix}/health`;
/** Addresses at which the sandbox itself calls the client, to finish work in progress. */
const clientPath = `${registry.client.prefix}/`;

const assetPaths = `${assetsPrefix}/`;
const walletPath = `${registry.rewards.prefix}/getwalletdetail`;

/** The share of all callers whose credential has led to no workspace, so that they use no slot of a workspace. */
const anonymousShare = 'anonymous';

const notLoaded = 'cannot load the data of the workspace; the terminal of the sandbox shows the reason';
const notBack = 'the workspace is not in memory and cannot be loaded now';

/** What calls are dispatched by. */
export interface Dispatching {
  readonly workspaces: Workspaces;
  /** Answers calls to no workspace, and calls that every instance answers alike. */
  readonly home: Workspace;
  readonly apis: readonly LoadedApi[];
  readonly boundary: Boundary;
  readonly queue: FairQueue;
  readonly warn: (message: string) => void;
  /** Whether calls without a registered credential are kept from the demo workspace: other machines can make them. */
  readonly isReachedByOthers?: boolean | undefined;
  /** Serves calls to workspaces of other instances; undefined if this process has all workspaces. */
  readonly remote?: RemoteWorkspaces | undefined;
}

/**
 * The workspace that a call is for: one that this process has, or one that another instance may have. `nobody` if the key
 * in its URL belongs to no workspace.
 */
type Addressee = { readonly handle: WorkspaceHandle | undefined } | { readonly ref: WorkspaceRef } | 'nobody';

/**
 * Identifies the caller (OP-77) and dispatches each call to the workspace that its URL names. Without one in the URL, the
 * credential selects the workspace. A call without a registered credential goes to the demo workspace, which refuses it
 * like any other (OP-63); if other machines can reach the sandbox, it goes to no workspace.
 * Resolves when the work of a call is done, or when it was refused (OP-83).
 */
export function dispatcher(parts: Dispatching) {
  const { workspaces, home, apis, boundary, queue, warn, isReachedByOthers, remote } = parts;
  const apiOf = findApi(apis);
  const fields = fieldsWithCredentials(apis);
  const kindOf = callKinds(apis, workspaces);
  const callerAt = (request: IncomingMessage) => callerOf(request, request.url ?? '', boundary);
  const serveIn = servingIn(workspaces);
  const run = (to: Addressee, call: Exchange, sent: () => void): Promise<void> => {
    const { request, response } = call;
    if (to === 'nobody') return serveNobodys(home, serveIn, call);
    const isUnregistered = 'handle' in to && to.handle === undefined && pathOf(request) !== healthPath;
    if (isReachedByOthers && isUnregistered) return serveNobodys(home, serveIn, call);
    const handle = 'handle' in to ? (to.handle ?? workspaces.get('demo')) : undefined;
    const running = handle?.running;
    if (running !== undefined && (remote === undefined || !running.gaveUp)) return serveIn(running, request, response);
    if (remote === undefined) return bringBack(handle, call);
    // Calls of a former owner to itself must not run at the new owner, which has ended that work already.
    if (request.headers[ownCallHeader] !== undefined) {
      turnAway(request, response, home, notBack);
      return nothingToDo;
    }
    const ref = 'ref' in to ? to.ref : { id: handle?.id ?? 'demo' };
    return remote.serve(ref, call, sent);
  };
  const bringBack = async (handle: WorkspaceHandle | undefined, { request, response }: Exchange): Promise<void> => {
    if (handle?.loadFailure !== undefined) return turnAway(request, response, home, notLoaded);
    let isBack = false;
    try {
      await handle?.use((workspace) => {
        isBack = true;
        return serveIn(workspace, request, response);
      });
    } catch (error) {
      if (isBack) throw error;
      // The workspace was deleted in the meantime.
      if (error instanceof Gone) return serveNobodys(home, serveIn, { request, response });
      warn(`Cannot load workspace ${handle?.id}: ${(error as Error).message}`);
      turnAway(request, response, home, notBack);
    }
  };
  const serve = (to: Addressee, call: Exchange, sent: () => void, isByAddress: boolean): Promise<void> => {
    const { request } = call;
    setOrigin(request, originsWith(callerAt(request), isByAddress));
    const field = isByAddress ? undefined : fields.get(`${request.method} ${pathOf(request)}`);
    return field === undefined ? run(to, call, sent) : serveByBody(call, sent, field);
  };
  const serveByBody = async (call: Exchange, sent: () => void, field: string): Promise<void> => {
    const json = await bodyOf(call.request).json();
    const credential = 'value' in json ? credentialIn(json.value, field) : undefined;
    const handle = credential === undefined ? undefined : workspaces.findByCredential(credential);
    return run(handle === undefined ? elsewhere(credential) : { handle }, call, sent);
  };
  const elsewhere = (credential: string | undefined): Addressee => {
    if (remote === undefined || (isReachedByOthers && credential === undefined)) return { handle: undefined };
    return { ref: remote.refOf(credential) };
  };
  const byCredential = (request: IncomingMessage, api: LoadedApi | undefined): Addressee => {
    const inAddress = api?.credential === 'address';
    const handle = inAddress ? workspaceOfPage(workspaces, request.url ?? '') : workspaces.findByHeaders(request);
    return handle === undefined ? elsewhere(credentialOf(request, inAddress)) : { handle };
  };
  const byKey = (key: string, api: LoadedApi | undefined): Addressee => {
    if (api === undefined || !isAddressed(api) || !isKey(key)) return 'nobody';
    const handle = workspaces.findByCredential(key);
    if (handle !== undefined) return { handle };
    return remote === undefined ? 'nobody' : { ref: { key: digest(key) } };
  };
  const serveHere = async ({ request, response }: Exchange): Promise<void> => {
    setOrigin(request, callerAt(request));
    return serveIn(home, request, response);
  };
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { key, url } = splitAddress(request.url ?? '/');
    // From here on it is the same call as without the key: routes, log and limits know the APIs by their own paths.
    request.url = url;
    const path = pathOf(request);
    const api = apiOf(path);
    const to = key === undefined ? byCredential(request, api) : byKey(key, api);
    const call = { request, response };
    const isByAddress = key !== undefined;
    const isSame = remote !== undefined && !isByAddress && isOfEverybody(path);
    return queue.serve(call, kindOf(request, path, nameOf(to, remote), api), {
      serve: (sent) => (isSame ? serveHere(call) : serve(to, call, sent, isByAddress)),
      refuse: () => turnAway(request, response, home),
    });
  };
}

/** The origin of a call, marked if its URL leads to a workspace. */
function originsWith(origin: CallOrigin, isByAddress: boolean): CallOrigin {
  return isByAddress ? { ...origin, addressKey: 'known' } : origin;
}

const nothingToDo = Promise.resolve();

/** Whether every instance answers a path alike: health checks, documentation, and assets of pages. */
function isOfEverybody(path: string): boolean {
  return path === '/' || path === healthPath || isFile(path);
}

/** The share of the slots that a call counts for; callers without a registered credential have one in common. */
function nameOf(to: Addressee, remote: RemoteWorkspaces | undefined): string {
  if (to === 'nobody') return anonymousShare;
  if ('handle' in to) return to.handle?.id ?? anonymousShare;
  return remote?.shareOf(to.ref) ?? anonymousShare;
}

/**
 * Finds out with whose calls a call takes turns. A workspace is several tenants, so that its orders do not wait behind its large
 * reads, nor the calls that show why an order waits behind the orders. Small reads do the same work however much is stored:
 * they are of a file, or of the control API and neither a page of a list nor a stream. `marked` calls claim to be the workspace's
 * own without proof, as after a proxy.
 */
export function callKinds(apis: readonly LoadedApi[], workspaces: Workspaces) {
  const small = apis.flatMap(({ host, prefix, parts }) =>
    parts.flatMap(({ operations }) =>
      operations
        .filter(({ method, replies }) => host === 'sandbox' && method === 'GET' && replies.get(200)?.stream === false)
        .filter(({ parameters }) => parameters.every(({ name }) => name !== 'limit'))
        .map(({ path }) => `${prefix}${path}`.split('/')),
    ),
  );
  const isSmall = (path: string) => {
    if (isFile(path)) return true;
    const sent = path.split('/');
    const isLike = (one: readonly string[]) => one.every((part, at) => part === sent[at] || part.startsWith('{'));
    return small.some((one) => one.length === sent.length && isLike(one));
  };
  return (request: IncomingMessage, path: string, id: string, api: LoadedApi | undefined): CallKind => {
    const isRead = request.method === 'GET';
    const isMarked = path.startsWith(clientPath) && request.headers[outgoingHeader] !== undefined;
    let part = isMarked ? 'marked' : 'parties';
    if (isRead && (api?.credential === 'address' || path === walletPath)) part = 'pages';
    if (api?.host === 'sandbox' || isFile(path)) part = isRead && isSmall(path) ? 'small reads' : 'control';
    return { tenant: `${id} ${part}`, isBegun: path === healthPath || workspaces.isOwnCall(request) };
  };
}

function isFile(path: string): boolean {
  return path.startsWith(docsPrefix) || path.startsWith(assetPaths);
}

/** Which calls carry their credential in the body, by method and path, and in which field. */
function fieldsWithCredentials(apis: readonly LoadedApi[]): ReadonlyMap<string, string> {
  const fields = apis.flatMap(({ prefix, parts, inBody = {} }) =>
    parts.flatMap(({ operations }) =>
      operations.flatMap(({ operationId, method, path }) => {
        const field = inBody[operationId];
        return field === undefined ? [] : [[`${method} ${prefix}${path}`, field] as const];
      }),
    ),
  );
  return new Map(fields);
}

export function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** The workspace of a page. */
function workspaceOfPage(workspaces: Workspaces, url: string): WorkspaceHandle | undefined {
  const credential = credentialOfPage(url);
  return credential === undefined ? undefined : workspaces.findByCredential(credential);
}

/** Pages carry their credential in the address: a session in the path, before that the token of the entry. */
function credentialOfPage(url: string): string | undefined {
  const session = /^\/\w+\/s\/([^/?]+)/.exec(url)?.[1];
  const query = new URLSearchParams(url.split('?')[1]);
  return session === undefined ? (query.get('token') ?? undefined) : workspacePlaceOf(session);
}

/** The credential of a call, before its body has arrived. */
function credentialOf({ headers, url = '' }: IncomingMessage, inAddress: boolean): string | undefined {
  return inAddress ? credentialOfPage(url) : credentialInHeaders(headers);
}

function credentialIn(body: unknown, field: string): string | undefined {
  const value = (body as Readonly<Record<string, unknown>> | null)?.[field];
  return typeof value === 'string' ? value : undefined;
}

const notCertain = 'it is currently not certain that this instance owns the workspace';

/** Serves a call in a workspace that is in memory. */
type ServeIn = (workspace: Workspace, request: IncomingMessage, response: ServerResponse) => Promise<void>;

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

/** Serves a call that belongs to no workspace. If its URL has a key, the key is marked as unknown, else as missing. */
export function serveNobodys(home: Workspace, serveIn: ServeIn, { request, response }: Exchange): Promise<void> {
  const origin = originOf(request);
  setOrigin(request, { ...origin, addressKey: origin.addressKey === undefined ? 'missing' : 'unknown' });
  return serveIn(home, request, response);
}
