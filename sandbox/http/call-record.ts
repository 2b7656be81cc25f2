import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '../activity-log/activity-entry.ts';
import { registry } from '../apis/registry.ts';
import { findingsOfServed } from '../conformance/own-traffic.ts';
import type { ServedCall } from '../contract/api.ts';
import { hasBody } from '../contract/body.ts';
import { compressReply } from '../contract/replies.ts';
import { magicHint } from '../magic/table.ts';
import type { CallObserver } from '../runtime/observer.ts';
import { callerSpanOf, namesOf, type SpanEnd, traceOf } from '../runtime/spans.ts';
import type { CallContext, Step } from './call-state.ts';

/** The path to which agents send their messages. */
const agentPath = `${registry.sandbox.prefix}/mcp`;
/** The path prefix at which a listener posts replies to the platform's calls and to heartbeats. */
const listenerPath = `${registry.sandbox.prefix}/listener/`;

/** Returns a step that notifies the observer of each call to a workspace, after the reply. */
export function observe(observer: CallObserver | undefined): Step {
  if (observer === undefined) return (_, next) => next();
  return (ctx, next) => {
    const { res, method, url, state } = ctx;
    const began = observer.now();
    res.once('close', () => {
      const { served, trace } = state;
      const isStream = String(res.getHeader('content-type')).startsWith('text/event-stream');
      observer.call({
        workspace: state.workspace.id,
        method,
        url,
        trace: served === undefined ? null : trace,
        api: served?.operation?.api ?? null,
        operation: served?.operation?.operationId ?? null,
        status: res.headersSent ? res.statusCode : null,
        caller: state.origin.kind,
        seconds: isStream ? null : (observer.now() - began) / 1000,
      });
    });
    return next();
  };
}

/**
 * Returns whether a call is left out of the activity log. Reads of the control API change nothing, and would bury the calls between
 * the parties. Agent messages are left out because the agents' tools make their changes with separate calls. Replies of a listener
 * are left out because the calls they answer have their own entries.
 */
function isLook({ method, path, state: { api } }: CallContext): boolean {
  if (api?.host !== 'sandbox') return false;
  return method === 'GET' || method === 'HEAD' || path === agentPath || path.startsWith(listenerPath);
}

/** Assigns a trace and a span to a call. Writes the call to the activity log after the reply, unless `isLook` excludes it. */
export const logCall: Step = async (ctx, next) => {
  const { state, method } = ctx;
  const { spans, traces, activity } = state.workspace.parties;
  const began = activity.now();
  state.trace = traceOf(ctx, traces);
  if (isLook(ctx)) {
    await next();
    finish(ctx);
    return;
  }
  const party = state.api?.host ?? 'platform';
  const span = spans.begin({ name: method, kind: 'server', party, trace: state.trace, ...callerSpanOf(ctx) });
  await span.run(next);
  const hint = finish(ctx);
  if (state.served === undefined) return;
  const served = state.served;
  span.end(endOf(method, served));
  const { status, operation, reply, replyBytes, notices } = served;
  const { req, url } = ctx;
  const headers = requestHeaders(req);
  await activity.call({
    kind: 'call_in',
    began,
    ...namesOf(span),
    trace: state.trace,
    party,
    method,
    url,
    operation: operation?.operationId ?? null,
    caller: state.origin.kind,
    status,
    request: served.request ?? notRead(ctx),
    reply: reply ?? null,
    replyBytes,
    notices: hint === undefined ? notices : [...notices, hint],
    requestHeaders: headers,
    ...(status !== null && { replyHeaders: replyHeaders(ctx) }),
    validated: findingsOfServed({ method, url, trace: state.trace, headers, hasBody: hasBody(req), served }),
  });
};

/** Sets the last headers of a reply. Returns the hint about a magic value that caused a failure, if any. */
function finish(ctx: CallContext): string | undefined {
  const { served, trace } = ctx.state;
  ctx.set('X-Trace-Id', trace);
  if (served === undefined || (served.status !== null && served.status < 400)) return undefined;
  const hint = magicHint(served.request);
  if (hint !== undefined) addProblem(ctx, hint);
  return hint;
}

/** Returns the name and attributes with which the span of an answered call ends. */
function endOf(method: string, { operation, status }: ServedCall): SpanEnd {
  const attributes = {
    'http.request.method': method,
    ...(status !== null && { 'http.response.status_code': status }),
  };
  const failure = status === null || status >= 500 ? `status ${status}` : undefined;
  return { name: operation?.operationId ?? method, attributes, ...(failure !== undefined && { failure }) };
}

/** Adds a hint to `X-Problem`, after the failure of another party, if any. A fault or an invalid field needs no hint. */
function addProblem(ctx: CallContext, hint: string): void {
  const problem = ctx.res.getHeader('X-Problem');
  if (problem === undefined) ctx.set('X-Problem', hint);
  else if (ctx.status === 502 && !ctx.res.hasHeader('X-Fault')) ctx.set('X-Problem', `${problem}; ${hint}`);
}

/** Returns the logged form of an unread body. The call was refused earlier, or the body did not parse. */
function notRead({ request: { length = 0 } }: CallContext): { omitted: string } | null {
  // A chunked body has no declared length, and may be empty.
  return length === 0 ? null : { omitted: `${length} bytes, not read` };
}

/** Returns the headers of a request exactly as sent. */
function requestHeaders({ rawHeaders }: IncomingMessage): HeaderList {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) found.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return found;
}

/** Returns the headers of a reply that is about to be sent. */
function replyHeaders({ res }: CallContext): HeaderList {
  const found: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(res.getHeaders())) {
    for (const each of Array.isArray(value) ? value : [String(value)]) found.push([name, each]);
  }
  return found;
}

/** Compresses long replies to reads of the sandbox's own APIs, regardless of the handler. */
export const compressReads: Step = async (ctx, next) => {
  await next();
  const { mount, refusal } = ctx.state;
  if (mount === undefined || mount.prefix === registry.start.prefix || refusal !== undefined) return;
  if (isLook(ctx)) await compressReply(ctx);
};
