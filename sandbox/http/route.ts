import { maskUrl } from '../activity-log/masking.ts';
import { registry } from '../apis/registry.ts';
import type { Hosts, MountedApi } from '../assembly/apis.ts';
import { docsSite } from '../assembly/docs-site.ts';
import { type CallOrigin, unseen } from '../contract/api.ts';
import type { Operation } from '../contract/document.ts';
import { flatEnvelope, type Rendered } from '../contract/envelopes.ts';
import { pathHint } from '../contract/problem-texts.ts';
import { prefersPage } from '../contract/request.ts';
import { isUnder } from '../contract/routes.ts';
import { assetsByName, staticFiles } from '../sites/assets.ts';
import type { CallContext, Step } from './call-state.ts';

/** The problem for a call with a key in the URL that belongs to no workspace. */
const noWorkspace = 'no workspace has this URL; copy it from urls of GET /sandbox/v1/workspace';
/** The problem for a visitor of a page without a key in the URL, on a sandbox that other machines can reach. */
const noKey = 'the URL of this page begins with the key of a workspace; copy it from urls of GET /sandbox/v1/workspace';
/** Entry paths of pages. */
const entries = ['', '/', '/codes']
  .map((path) => `${registry.microsite.prefix}${path}`)
  .concat(`${registry.portal.prefix}/signin`);
/** The page at the root, which has no paths below it and only read methods. */
const { prefix: rootPrefix } = registry.start;

/** Finds the operation by method and path. */
export const findRoute: Step = (ctx, next) => {
  const { state, method, path } = ctx;
  const { api } = state;
  const isRead = method === 'GET' || method === 'HEAD';
  if (api === undefined || !isUnder(api.prefix, path) || (api.prefix === rootPrefix && !isRead)) return next();
  state.mount = api;
  const routed = routeIn(api, ctx);
  if (routed.kind === 'found') {
    state.operation = routed.operation;
    state.path = routed.values;
  }
  return next();
};

/** Decides whether a call is for this server and for a workspace (OP-77). */
export const findRefusal: Step = ({ path, state }, next) => {
  const { foreign, addressKey } = state.origin;
  const problem = keyProblem(addressKey, path);
  const addressed = addressKey === 'unknown' ? 'The workspace of this URL' : `Path ${maskUrl(path)}`;
  state.refusal = foreign ?? (problem === undefined ? undefined : { kind: 'not_found', what: addressed, problem });
  return next();
};

/** Finds the operation of a path. The prefix of an API is valid with and without a trailing slash. */
function routeIn({ prefix, routes }: MountedApi, { method, path }: Pick<CallContext, 'method' | 'path'>) {
  return routes.find(method, path === prefix ? `${prefix}/` : path);
}

/** Returns the reason that the key in an address, or its absence, selects no workspace. Returns `undefined` if the call is served. */
function keyProblem(key: CallOrigin['addressKey'], path: string): string | undefined {
  if (key === 'unknown') return noWorkspace;
  return key === 'missing' && entries.includes(path) ? noKey : undefined;
}

/** Returns a step that serves the assets of pages and, if there is a folder, the documentation. */
export function serveFiles(docs: string | undefined): Step {
  const assets = staticFiles(assetsByName);
  const documentation = docs === undefined ? undefined : docsSite(docs);
  return (ctx, next) => {
    if (ctx.state.api !== undefined || ctx.state.refusal !== undefined) return next();
    return assets(ctx, () => documentation?.(ctx, next) ?? next());
  };
}

/**
 * Returns a step that refuses calls for other servers, callers that are not on an allowlist, and unknown paths. The status is 405
 * if the path has other methods, and 404 if it has none. The body is a page or JSON.
 */
export function refuseOthers(apis: readonly MountedApi[]): Step {
  const root = apis.find(({ prefix }) => prefix === rootPrefix);
  return (ctx, next) => {
    const { mount, refusal, operation, workspace, origin } = ctx.state;
    const { hosts } = workspace;
    // Outside the APIs, browsers receive a page.
    const outside = () => (prefersPage(ctx) && root !== undefined ? envelopeOf(root, hosts) : flatEnvelope);
    if (refusal !== undefined) {
      const envelope = mount === undefined || mount === root ? outside() : envelopeOf(mount, hosts);
      const problem = refusal.kind === 'not_found' ? refusal.problem : undefined;
      return refuse(ctx, envelope, envelope.render(refusal), problem === undefined ? {} : { 'X-Problem': problem });
    }
    const notFound = { kind: 'not_found', what: `Path ${maskUrl(ctx.path)}` } as const;
    const nearPath = () => pathHint(ctx.path, apis);
    if (mount === undefined) {
      const envelope = outside();
      return refuse(ctx, envelope, envelope.render(notFound), { Vary: 'Accept', ...nearPath() });
    }
    const barred = mount.admit?.(mount.party(hosts), origin);
    if (barred !== undefined) return refuse(ctx, envelopeOf(mount, hosts), barred, {}, operation?.operation);
    if (operation !== undefined) return next();
    const envelope = envelopeOf(mount, hosts);
    const allowed = methodsAt(mount, ctx);
    return allowed === undefined
      ? refuse(ctx, envelope, envelope.render(notFound), nearPath())
      : refuse(ctx, envelope, envelope.render({ kind: 'method_not_allowed' }), { Allow: allowed });
  };
}

function envelopeOf({ envelope, party }: MountedApi, hosts: Hosts) {
  return envelope(party(hosts));
}

/** Returns the methods of a path, or `undefined` if it has none. */
function methodsAt(mount: MountedApi, ctx: CallContext): string | undefined {
  const routed = routeIn(mount, ctx);
  if (routed.kind !== 'other_method') return undefined;
  const methods = routed.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)].sort().join(', ');
}

/** Answers a call with a refusal instead of an operation. */
function refuse(
  ctx: CallContext,
  envelope: ReturnType<MountedApi['envelope']>,
  { status, body, headers }: Rendered,
  more: Readonly<Record<string, string>>,
  operation?: Operation,
): void {
  ctx.status = status;
  ctx.set({ ...envelope.headers?.(), ...headers, ...more });
  ctx.body = body;
  ctx.state.served = { status, operation, request: null, reply: body, replyBytes: 0, notices: [], verdict: unseen };
}
