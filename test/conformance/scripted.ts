/** Servers that answer as an exchange has it: one of bare HTTP, and the sandbox's own application with its log. */
import { request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Activity, CallSeen } from '../../sandbox/activity-log/activity.ts';
import { omittedBody } from '../../sandbox/activity-log/entry-size.ts';
import { registry } from '../../sandbox/apis/registry.ts';
import { loadApis } from '../../sandbox/assembly/apis.ts';
import { makeApplication } from '../../sandbox/assembly/application.ts';
import type { Bound, ServedCall } from '../../sandbox/contract/api.ts';
import type { Operation } from '../../sandbox/contract/document.ts';
import { flatEnvelope } from '../../sandbox/contract/envelopes.ts';
import type { Mount } from '../../sandbox/contract/mount.ts';
import { takeWhole } from '../../sandbox/contract/repeat.ts';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import type { Draft } from '../harness/exchanges.ts';
import { httpServer } from '../harness/http-server.ts';
import { testSpans } from '../harness/spans.ts';

/** The exchange that is to happen now. */
export interface Script {
  now: Draft;
}

/** The bytes of a body, as they go over the wire. */
export function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Where an exchange goes, below a server's origin. */
export function targetOf({ server, path, query }: Draft): string {
  const search = new URLSearchParams(query).toString();
  const prefix = server === 'webhook' ? '' : registry[server].prefix;
  return `${prefix}${path}${search === '' ? '' : `?${search}`}`;
}

/** Sends the request of an exchange, byte for byte. Resolves when its reply has come. */
export function send(origin: URL, draft: Draft): Promise<void> {
  const body = bytesOf(draft.request.body);
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  return new Promise((resolve, reject) => {
    const { hostname, port } = origin;
    const headers: IncomingHttpHeaders = { ...draft.request.headers, ...length };
    const call = httpRequest({ hostname, port, method: draft.method, path: targetOf(draft), headers, agent: false });
    call.once('error', reject);
    call.once('response', (reply) => reply.resume().once('end', resolve));
    call.end(body);
  });
}

/** A server of bare HTTP that gives the reply of the script's exchange. */
export function scriptedServer(script: Script): Promise<URL> {
  return httpServer((request, response) => {
    request.resume().once('end', () => answer(script.now, response));
  });
}

function answer({ reply }: Draft, response: ServerResponse): void {
  response.writeHead(reply.status, reply.headers).end(bytesOf(reply.body));
}

/** The sandbox's application with its log, whose operations give the reply of the script's exchange. */
export function scriptedSandbox(script: Script, activity: Activity): Promise<URL> {
  const apis = loadApis();
  const mounts = apis.map(
    ({ prefix, parts }): Mount => ({
      prefix,
      envelope: flatEnvelope,
      operations: parts.flatMap((part) => part.operations.map((operation) => scripted(operation, script))),
    }),
  );
  const watch = { violation: () => {}, error: () => ({ kind: 'internal_error' as const }) };
  const options = {
    traces: new SeededRandom('scripted'),
    spans: testSpans(),
    now: () => activity.now(),
    log: (call: CallSeen) => activity.call(call),
    watch,
    docs: undefined,
  };
  return httpServer(makeApplication(apis, mounts, options).callback());
}

/** What the log is told of a reply's body: pages are not kept, nor what is no JSON. */
function notedReply({ status, body, headers }: Draft['reply']): unknown {
  if (status === 204 || body === undefined || body === '') return null;
  if (typeof body === 'object') return body;
  return headers['content-type'] === 'application/json' ? omittedBody(bytesOf(body).length) : null;
}

function scripted(operation: Operation, script: Script): Bound {
  return {
    operation,
    async serve(ctx: Context): Promise<ServedCall> {
      const { request, reply } = script.now;
      const raw = await takeWhole(ctx.req);
      const text = bytesOf(reply.body);
      ctx.status = reply.status;
      ctx.set(reply.headers);
      // Not null, of which Koa makes a body of JSON.
      ctx.body = text.toString();
      const type = reply.headers['content-type'];
      if (type === undefined) ctx.remove('content-type');
      else ctx.set('content-type', type);
      ctx.status = reply.status;
      return {
        operation,
        status: reply.status,
        request: typeof request.body === 'object' ? request.body : null,
        reply: notedReply(reply),
        replyBytes: text.length,
        notices: [],
        ...(raw.length > 0 && { raw }),
      };
    },
  };
}
