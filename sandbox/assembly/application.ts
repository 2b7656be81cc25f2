import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Koa, { type Context } from 'koa';
import type { CallSeen } from '../activity-log/activity.ts';
import { findApi, type RegisteredApi, registry } from '../apis/registry.ts';
import { findingsOfServed } from '../conformance/own-traffic.ts';
import { type CallOrigin, originOf, unseen, type Watch } from '../contract/api.ts';
import { hasBody } from '../contract/body.ts';
import { flatEnvelope } from '../contract/envelopes.ts';
import type { RequestFailure } from '../contract/failure-tables.ts';
import { type Answered, type Mount, mountOf, mountRouter, type OnServed } from '../contract/mount.ts';
import { pathHint } from '../contract/nearest.ts';
import { prefersPage } from '../contract/request.ts';
import { magicHint } from '../magic/table.ts';
import type { SeededRandom } from '../runtime/ids.ts';
import { callerSpanOf, namesOf, type OpenSpan, type SpanEnd, type Spans, traceOf } from '../runtime/spans.ts';
import { assetsByName, staticFiles } from '../sites/assets.ts';
import { docsSite } from './docs-site.ts';
import { type ObservedCalls, replyHeaders, requestHeaders } from './raw-call.ts';

/** Where agents send their messages. */
const agentPath = `${registry.sandbox.prefix}/mcp`;

/** The reply to a call whose URL has the key of no workspace. */
const noWorkspace = 'no workspace has this URL; copy it from urls of GET /sandbox/v1/workspace';
/** The reply to a visitor of a page whose URL has no key, on a sandbox that other machines can reach. */
const noKey = 'the URL of this page begins with the key of a workspace; copy it from urls of GET /sandbox/v1/workspace';
/** Where visits to pages begin. */
const entries = ['', '/', '/codes']
  .map((path) => `${registry.microsite.prefix}${path}`)
  .concat(`${registry.portal.prefix}/signin`);

/** How an application records its calls, and where the documentation is, if it is served. */
interface ApplicationOptions {
  /** Draws the ids of traces that begin here. */
  readonly traces: SeededRandom;
  readonly spans: Spans;
  /** Sandbox time, as the log writes it. */
  readonly now: () => string;
  /** Writes a call to the activity log. */
  readonly log: (call: CallSeen) => Promise<void>;
  readonly watch: Watch;
  readonly docs: string | undefined;
  /** Reports each call to an observer; undefined if there is none. */
  readonly observed?: ObservedCalls | undefined;
}

/**
 * The HTTP application: a refusal of what is not for this sandbox (OP-77), the mounts, the assets of pages, the
 * documentation where there is a folder of it, a 404 for everything else as a page or as JSON, and the activity log over
 * all but assets and documentation.
 */
export function makeApplication(
  apis: readonly RegisteredApi[],
  mounts: readonly Mount[],
  { traces, spans, now, log, watch, docs, observed }: ApplicationOptions,
): Koa {
  const apiOf = findApi(apis);
  const app = new Koa();
  const hostOf = (ctx: Context): RegisteredApi['host'] | undefined => {
    ctx.state.host ??= apiOf(ctx.path)?.host;
    return ctx.state.host;
  };
  // Reads of the control API change nothing, and would bury the calls between the parties. So would messages of agents,
  // whose tools make their changes by calls of their own.
  const isLook = (ctx: Context) => {
    const { path, method } = ctx;
    return hostOf(ctx) === 'sandbox' && (method === 'GET' || method === 'HEAD' || path === agentPath);
  };
  const trace = (ctx: Context): string => {
    ctx.state.trace ??= traceOf(ctx, traces);
    return ctx.state.trace;
  };
  const beginSpan = (ctx: Context) =>
    spans.begin({
      name: ctx.method,
      kind: 'server',
      party: hostOf(ctx) ?? 'platform',
      trace: trace(ctx),
      ...callerSpanOf(ctx),
    });
  const spanOf = (ctx: Context): OpenSpan => {
    ctx.state.span ??= beginSpan(ctx);
    return ctx.state.span;
  };
  /** Sets the last headers of the reply, and returns the record of the call for the log. */
  const seenOf = (ctx: Context, traceId: string, served: Answered): CallSeen | undefined => {
    ctx.set('X-Trace-Id', traceId);
    observed?.answered(ctx, traceId, served.operation);
    const hint = served.status === null || served.status >= 400 ? magicHint(served.request) : undefined;
    if (hint !== undefined) addProblem(ctx, hint);
    const { method, url } = ctx;
    if (isLook(ctx)) return undefined;
    const party = hostOf(ctx) ?? 'platform';
    const { status, reply, replyBytes } = served;
    const request = served.request ?? notRead(ctx);
    const notices = hint === undefined ? served.notices : [...served.notices, hint];
    const operation = served.operation?.operationId ?? null;
    const { kind: caller } = originOf(ctx.req);
    const began: string = ctx.state.began;
    const span = spanOf(ctx);
    span.end(endOf(ctx, served));
    const seen = { kind: 'call_in', began, ...namesOf(span), trace: traceId, party } as const;
    const headers = requestHeaders(ctx.req);
    const validated = findingsOfServed({ method, url, trace: traceId, headers, hasBody: hasBody(ctx.req), served });
    return {
      ...seen,
      method,
      url,
      operation,
      caller,
      status,
      request,
      reply: reply ?? null,
      replyBytes,
      notices,
      requestHeaders: headers,
      ...(status !== null && { replyHeaders: replyHeaders(ctx) }),
      validated,
    };
  };
  const onServed: OnServed = async (ctx, traceId, served) => {
    const seen = seenOf(ctx, traceId, served);
    if (seen !== undefined) await log(seen);
  };
  /** Answers a call that no operation serves, and logs it. */
  const refuse = (
    ctx: Context,
    envelope: Mount['envelope'],
    failure: RequestFailure,
    more: Readonly<Record<string, string>>,
  ) => {
    const { status, body, headers } = envelope.render(failure);
    ctx.status = status;
    ctx.set({ ...envelope.headers?.(), ...headers, ...more });
    ctx.body = body;
    const served = { status, request: null, reply: body, replyBytes: 0, notices: [], verdict: unseen };
    return onServed(ctx, trace(ctx), served);
  };
  app.use((ctx, next) => {
    ctx.state.began = now();
    return next();
  });
  if (observed !== undefined) app.use(observed.middleware);
  const start = mounts.find(({ prefix }) => prefix === '');
  /** The form of errors outside the APIs: browsers get a page. */
  const rootEnvelope = (ctx: Context) => (prefersPage(ctx) ? start?.envelope : undefined) ?? flatEnvelope;
  const routers = new Map(mounts.map((mount) => [mount, mountRouter(mount, mounts, trace, onServed)]));
  app.use((ctx, next) => {
    const mount = mountOf(mounts, ctx.path);
    const { foreign, addressKey } = originOf(ctx.req);
    const problem = keyProblem(addressKey, ctx.path);
    const refused = foreign ?? (problem === undefined ? undefined : ({ kind: 'not_found', problem } as const));
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    // The root has no other method.
    if (refused === undefined && mount === start && !isRead) return next();
    if (refused === undefined) {
      if (mount === undefined) return next();
      const serve = () => routers.get(mount)?.(ctx, next);
      if (!isLook(ctx)) return spanOf(ctx).run(serve);
      return serve()?.then(() => (mount === start ? undefined : compressReply(ctx)));
    }
    const envelope = mount === undefined || mount === start ? rootEnvelope(ctx) : mount.envelope;
    return refuse(ctx, envelope, refused, problem === undefined ? {} : { 'X-Problem': problem });
  });
  app.use(staticFiles(assetsByName));
  if (docs !== undefined) app.use(docsSite(docs));
  app.use((ctx) => {
    const headers = { Vary: 'Accept', ...pathHint(ctx.path, mounts) };
    return refuse(ctx, rootEnvelope(ctx), { kind: 'not_found' }, headers);
  });
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A stream ends when its reader leaves, or is cut off: that is its ordinary end.
    if (!['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? ''))
      watch.error(error, 'a request');
  });
  return app;
}

/** Why the key in the address of a call, or its absence, leads nowhere; undefined if the call is served. */
function keyProblem(key: CallOrigin['addressKey'], path: string): string | undefined {
  if (key === 'unknown') return noWorkspace;
  return key === 'missing' && entries.includes(path) ? noKey : undefined;
}

/** What the span of a call says when it was answered. */
function endOf({ method }: Context, { operation, status }: Answered): SpanEnd {
  const attributes = {
    'http.request.method': method,
    ...(status !== null && { 'http.response.status_code': status }),
  };
  const failure = status === null || status >= 500 ? `status ${status}` : undefined;
  return { name: operation?.operationId ?? method, attributes, ...(failure !== undefined && { failure }) };
}

/** Puts a hint into `X-Problem`, after the failure of another party; a fault or an invalid field needs no hint. */
function addProblem(ctx: Context, hint: string): void {
  const problem = ctx.res.getHeader('X-Problem');
  if (problem === undefined) ctx.set('X-Problem', hint);
  else if (ctx.status === 502 && !ctx.res.hasHeader('X-Fault')) ctx.set('X-Problem', `${problem}; ${hint}`);
}

/** The logged form of a body that was not read: the call was refused earlier, or the body did not parse. */
function notRead({ request: { length = 0 } }: Context): { omitted: string } | null {
  // A chunked body has no length here, and may be empty.
  return length === 0 ? null : { omitted: `${length} bytes, not read` };
}

const compress = promisify(gzip);

/** Shorter texts fit into a packet or two, and gain nothing. */
const leastCharacters = 1024;

/** Compresses a text that is the reply to a call, for a caller that accepts gzip (RFC 9110, 12.5.3). */
async function compressReply(ctx: Context): Promise<void> {
  const { body } = ctx;
  if (typeof body !== 'string' || body.length < leastCharacters) return;
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await compress(body);
  ctx.set('Content-Encoding', 'gzip');
}
