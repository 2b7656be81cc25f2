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

/** Where agents send their messages. */
const agentPath = `${registry.sandbox.prefix}/mcp`;
/** Below it, a listener posts replies to calls of the platform, and to heartbeats. */
const listenerPath = `${registry.sandbox.prefix}/listener/`;

/** Notifies the observer of each call to a workspace, after the reply. */
export function observe(observer: CallObserver | undefined): Step {
  if (observer === undefined) return (_, next) => next();
  return (ctx, next) => {
    const { res, method, url, state } = ctx;
    const began = observer.now();
    res.once('close', () => {
      const { served, trace } = state;
      const isStream = String(res.getHeader('content-type')).startsWith('text/event-stream');
      observer.call({
        ...{ workspace: state.workspace.id, method, url, trace: served === undefined ? null : trace },
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
 * Whether a call only looks at the sandbox. Reads of the control API change nothing, and would bury the calls between the
 * parties. So would messages of agents, whose tools make their changes by calls of their own, and replies of a listener, whose
 * calls have entries of their own.
 */
function isLook({ method, path, state: { api } }: CallContext): boolean {
  if (api?.host !== 'sandbox') return false;
  return method === 'GET' || method === 'HEAD' || path === agentPath || path.startsWith(listenerPath);
}

/** Gives a call its trace and its span, and writes it to the activity log once it is answered, unless it only looks. */
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
    ...{ kind: 'call_in', began, ...namesOf(span), trace: state.trace, party, method, url },
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

/** Sets the last headers of a reply. Returns the hint at a magic value that caused a failure, if one did. */
function finish(ctx: CallContext): string | undefined {
  const { served, trace } = ctx.state;
  ctx.set('X-Trace-Id', trace);
  if (served === undefined || (served.status !== null && served.status < 400)) return undefined;
  const hint = magicHint(served.request);
  if (hint !== undefined) addProblem(ctx, hint);
  return hint;
}

/** What the span of a call says when it was answered. */
function endOf(method: string, { operation, status }: ServedCall): SpanEnd {
  const attributes = {
    'http.request.method': method,
    ...(status !== null && { 'http.response.status_code': status }),
  };
  const failure = status === null || status >= 500 ? `status ${status}` : undefined;
  return { name: operation?.operationId ?? method, attributes, ...(failure !== undefined && { failure }) };
}

/** Puts a hint into `X-Problem`, after the failure of another party; a fault or an invalid field needs no hint. */
function addProblem(ctx: CallContext, hint: string): void {
  const problem = ctx.res.getHeader('X-Problem');
  if (problem === undefined) ctx.set('X-Problem', hint);
  else if (ctx.status === 502 && !ctx.res.hasHeader('X-Fault')) ctx.set('X-Problem', `${problem}; ${hint}`);
}

/** The logged form of a body that was not read: the call was refused earlier, or the body did not parse. */
function notRead({ request: { length = 0 } }: CallContext): { omitted: string } | null {
  // A chunked body has no length here, and may be empty.
  return length === 0 ? null : { omitted: `${length} bytes, not read` };
}

/** The headers of a request as they were sent. */
function requestHeaders({ rawHeaders }: IncomingMessage): HeaderList {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) found.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return found;
}

/** The headers of a reply that is about to be sent. */
function replyHeaders({ res }: CallContext): HeaderList {
  const found: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(res.getHeaders())) {
    for (const each of Array.isArray(value) ? value : [String(value)]) found.push([name, each]);
  }
  return found;
}

/** Compresses long replies to reads of the sandbox's own APIs, whatever made them. */
export const compressReads: Step = async (ctx, next) => {
  await next();
  const { mount, refusal } = ctx.state;
  if (mount === undefined || mount.prefix === registry.start.prefix || refusal !== undefined) return;
  if (isLook(ctx)) await compressReply(ctx);
};
