import type { IncomingMessage, ServerResponse } from 'node:http';
import { findApi, registry } from '../apis/registry.ts';
import { isAddressed, isKey, splitAddress } from '../apis/workspace-address.ts';
import type { LoadedApi } from '../assembly/apis.ts';
import { docsPrefix } from '../assembly/docs-site.ts';
import { type CallOrigin, noteOrigin } from '../contract/api.ts';
import { arriveWhole, takeWhole } from '../contract/repeat.ts';
import { type Boundary, callerOf, outgoingHeader, ownCallHeader } from '../runtime/caller.ts';
import { workspacePlaceOf } from '../runtime/handles.ts';
import { digest } from '../runtime/secrets.ts';
import { credentialInHeaders } from '../workspaces/credentials.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import { NoRoom } from '../workspaces/room.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { Gone, type WorkspaceHandle } from '../workspaces/workspace-handle.ts';
import type { AdmittedCall, CallKind, ConcurrencyLimit } from './concurrency-limit.ts';
import type { Exchange } from './connections.ts';
import { type Elsewhere, strangers, type Whose, whoseIs } from './elsewhere.ts';
import { turnAway } from './refusals.ts';
import { serveNobodys, servingIn } from './serving.ts';

/** Who watches the server is told that it is up, however much there is to do. */
const healthPath = `${registry.sandbox.prefix}/health`;
/** The sandbox itself calls the client here, to finish what is under way. */
const clientPath = `${registry.client.prefix}/`;

const walletPath = `${registry.rewards.prefix}/getwalletdetail`;

const notLoaded = 'cannot load the data of the workspace; the terminal of the sandbox shows the reason';
const notBack = 'the workspace is not in memory and cannot be loaded now';

/** What calls are dispatched by. */
export interface Dispatching {
  readonly workspaces: Workspaces;
  /** Answers what comes to no workspace, and what every instance answers alike. */
  readonly home: Workspace;
  readonly apis: readonly LoadedApi[];
  readonly boundary: Boundary;
  readonly limit: ConcurrencyLimit;
  readonly warn: (message: string) => void;
  /** Where calls go whose workspace this process does not have; undefined where it has all. */
  readonly elsewhere?: Elsewhere | undefined;
}

/**
 * Who a call is for: a workspace that this process has, or one that others may have; for nobody where the key of its address
 * is no workspace's.
 */
type Addressee = { readonly known: WorkspaceHandle | undefined } | { readonly whose: Whose } | 'nobody';

/**
 * Decides who calls (OP-77), and hands each call to the workspace that its address leads to; without such an address, to
 * the workspace whose credential it carries, or to the demo workspace where it carries none that is known, which then
 * refuses it as it refuses any other (OP-63). Resolves when the work of a call is done; undefined for one that is
 * not admitted (OP-83).
 */
export function dispatcher({ workspaces, home, apis, boundary, limit, warn, elsewhere }: Dispatching) {
  const apiOf = findApi(apis);
  const fields = fieldsWithCredentials(apis);
  const originOf = (request: IncomingMessage) => callerOf(request, request.url ?? '', boundary);
  const serveIn = servingIn(workspaces);
  const run = (to: Addressee, call: Exchange, admitted: AdmittedCall, body?: Buffer): Promise<void> => {
    const { request, response } = call;
    if (to === 'nobody') return serveNobodys(home, serveIn, call);
    const known = 'known' in to ? (to.known ?? workspaces.get('demo')) : undefined;
    const running = known?.running;
    if (running !== undefined && (elsewhere === undefined || !running.gaveUp))
      return serveIn(running, request, response);
    if (elsewhere === undefined) return bringBack(known, call);
    // What a former owner still asks of itself is not to happen at the new one, which has ended that work already.
    if (request.headers[ownCallHeader] !== undefined) {
      turnAway(request, response, home, notBack);
      return nothingToDo;
    }
    const whose = 'whose' in to ? to.whose : { id: known?.id ?? 'demo' };
    return elsewhere.serve(whose, call, admitted, body);
  };
  const bringBack = async (known: WorkspaceHandle | undefined, { request, response }: Exchange): Promise<void> => {
    if (known?.loadFailure !== undefined) return turnAway(request, response, home, notLoaded);
    let isBack = false;
    try {
      await known?.use((workspace) => {
        isBack = true;
        return serveIn(workspace, request, response);
      });
    } catch (error) {
      if (isBack) throw error;
      // It was deleted meanwhile: what it had is nobody's.
      if (error instanceof Gone) return serveNobodys(home, serveIn, { request, response });
      const why = (error as Error).message;
      if (!(error instanceof NoRoom)) warn(`Cannot load workspace ${known?.id}: ${why}`);
      turnAway(request, response, home, notBack);
    }
  };
  const serve = (to: Addressee, call: Exchange, admitted: AdmittedCall, isByAddress: boolean): Promise<void> => {
    const { request } = call;
    noteOrigin(request, originsWith(originOf(request), isByAddress));
    const field = isByAddress ? undefined : fields.get(`${request.method} ${pathOf(request)}`);
    return field === undefined ? run(to, call, admitted) : serveByBody(call, admitted, field);
  };
  const serveByBody = async (call: Exchange, admitted: AdmittedCall, field: string): Promise<void> => {
    const { request, response } = call;
    const raw = await takeWhole(request);
    const credential = credentialIn(raw, field);
    const known = credential === undefined ? undefined : workspaces.ofCredential(credential);
    const named = known === undefined && elsewhere !== undefined ? { whose: whoseIs(credential) } : { known };
    return run(named, { request: arriveWhole(request, raw), response }, admitted, raw);
  };
  const byCredential = (request: IncomingMessage, api: LoadedApi | undefined): Addressee => {
    const inAddress = api?.credential === 'address';
    const known = inAddress ? ofPage(workspaces, request.url ?? '') : workspaces.ofHead(request);
    if (known !== undefined || elsewhere === undefined) return { known };
    return { whose: whoseIs(credentialOf(request, inAddress)) };
  };
  const byKey = (key: string, api: LoadedApi | undefined): Addressee => {
    if (api === undefined || !isAddressed(api) || !isKey(key)) return 'nobody';
    const known = workspaces.ofCredential(key);
    if (known !== undefined) return { known };
    return elsewhere === undefined ? 'nobody' : { whose: { key: digest(key) } };
  };
  const serveHere = async ({ request, response }: Exchange): Promise<void> => {
    noteOrigin(request, originOf(request));
    return serveIn(home, request, response);
  };
  return (request: IncomingMessage, response: ServerResponse): Promise<void> | undefined => {
    const { key, url } = splitAddress(request.url ?? '/');
    // From here on it is the same call as without the key: routes, log and limits know the APIs by their own paths.
    request.url = url;
    const path = pathOf(request);
    const api = apiOf(path);
    const to = key === undefined ? byCredential(request, api) : byKey(key, api);
    const call = { request, response };
    const name = nameOf(to, elsewhere);
    const reader = readerOf(request, name, api);
    const kind = kindOf(request, workspaces);
    const admitted = limit.admit(call, { tenant: tenantOf(name, path, apiOf), kind, reader });
    if (admitted === undefined) return undefined;
    const isByAddress = key !== undefined;
    const isSame = elsewhere !== undefined && !isByAddress && isOfEverybody(path);
    const begin = () => (isSame ? serveHere(call) : serve(to, call, admitted, isByAddress));
    const { turn } = admitted;
    if (turn === undefined) return (async () => begin())().finally(admitted.end);
    // Whoever has left while the turn of others lasted reads nothing.
    return turn.then(() => (response.destroyed ? undefined : begin())).finally(admitted.end);
  };
}

/** Where a call comes from whose address leads to a workspace; of any other, the same as before. */
function originsWith(origin: CallOrigin, isByAddress: boolean): CallOrigin {
  return isByAddress ? { ...origin, addressKey: 'known' } : origin;
}

const nothingToDo = Promise.resolve();

/** What is the same whoever answers it: whether this instance is up, documentation, and what pages are made of. */
function isOfEverybody(path: string): boolean {
  return (
    path === '/' || path === healthPath || path.startsWith(docsPrefix) || path.startsWith(`${registry.assets.prefix}/`)
  );
}

/** Whose slots a call takes: callers without a known credential share those of all strangers. */
function nameOf(to: Addressee, elsewhere: Elsewhere | undefined): string {
  if (to === 'nobody') return strangers;
  if ('known' in to) return to.known?.id ?? strangers;
  return elsewhere?.shareOf(to.whose) ?? strangers;
}

/** Whose slots a call takes one of: orders that wait for a slow client must not keep anybody from looking why. */
export function tenantOf(id: string, path: string, apiOf: (path: string) => LoadedApi | undefined): string {
  const looks = apiOf(path)?.host === 'sandbox' || path.startsWith(docsPrefix);
  return `${id} ${looks ? 'control' : 'parties'}`;
}

/**
 * Whose read a call is, where such reads take turns: those of a workspace's control API, of a visit to its pages, and of
 * wallets, which come whole. Undefined for any other call.
 */
export function readerOf(request: IncomingMessage, id: string, api: LoadedApi | undefined): string | undefined {
  if (request.method !== 'GET' || api === undefined) return undefined;
  if (api.host === 'sandbox') return `${id} control`;
  if (api.credential === 'address') return `${id} visit ${credentialOfPage(request.url ?? '') ?? ''}`;
  return pathOf(request) === walletPath ? `${id} wallets` : undefined;
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

/** Whether a call is new work, or belongs to work that was begun. */
export function kindOf(request: IncomingMessage, workspaces: Workspaces): CallKind['kind'] {
  const path = pathOf(request);
  if (path === healthPath || workspaces.isOwnCall(request)) return 'begun';
  return path.startsWith(clientPath) && request.headers[outgoingHeader] !== undefined ? 'marked' : 'new';
}

/** Who a page belongs to. */
function ofPage(workspaces: Workspaces, url: string): WorkspaceHandle | undefined {
  const credential = credentialOfPage(url);
  return credential === undefined ? undefined : workspaces.ofCredential(credential);
}

/** Pages carry their credential in the address: a session in the path, before that the token of the entry. */
function credentialOfPage(url: string): string | undefined {
  const session = /^\/\w+\/s\/([^/?]+)/.exec(url)?.[1];
  const query = new URLSearchParams(url.split('?')[1]);
  return session === undefined ? (query.get('token') ?? undefined) : workspacePlaceOf(session);
}

/** What a call says whose it is, before its body has come. */
function credentialOf({ headers, url = '' }: IncomingMessage, inAddress: boolean): string | undefined {
  return inAddress ? credentialOfPage(url) : credentialInHeaders(headers);
}

function credentialIn(raw: Buffer, field: string): string | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString())?.[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Not JSON: whoever handles the call will say so.
    return undefined;
  }
}
