/** Servers that send the reply of an exchange: one of plain HTTP, and the sandbox's own application with its log. */
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

/** The current exchange. */
export interface Script {
  now: Draft;
}

/** The bytes of a body on the wire. */
export function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The path and query of an exchange at its server. */
export function targetOf({ server, path, query }: Draft): string {
  const search = new URLSearchParams(query).toString();
  const prefix = server === 'webhook' ? '' : registry[server].prefix;
  return `${prefix}${path}${search === '' ? '' : `?${search}`}`;
}

/** Sends the request of an exchange, byte for byte. Resolves when its reply is complete. */
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

/** A plain HTTP server that sends the reply of the script's exchange. */
export function scriptedServer(script: Script): Promise<URL> {
  return httpServer((request, response) => {
    request.resume().once('end', () => answer(script.now, response));
  });
}

function answer({ reply }: Draft, response: ServerResponse): void {
  response.writeHead(reply.status, reply.headers).end(bytesOf(reply.body));
}

/** The sandbox's application with its log, whose operations send the reply of the script's exchange. */
export function scriptedSandbox(script: Script, activity: Activity): Promise<URL> {
  const apis = loadApis();
  const mounts = apis.map(
    ({ prefix, parts }): Mount => ({
      prefix,
      envelope: flatEnvelope,
      operations: parts.flatMap((part) => part.operations.map((operation) => scriptedOperation(operation, script))),
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

/** The body of a reply as the log gets it: no pages, and nothing that is not JSON. */
function loggedBody({ status, body, headers }: Draft['reply']): unknown {
  if (status === 204 || body === undefined || body === '') return null;
  if (typeof body === 'object') return body;
  return headers['content-type'] === 'application/json' ? omittedBody(bytesOf(body).length) : null;
}

function scriptedOperation(operation: Operation, script: Script): Bound {
  return {
    operation,
    async serve(ctx: Context): Promise<ServedCall> {
      const { request, reply } = script.now;
      const raw = await takeWhole(ctx.req);
      const text = bytesOf(reply.body);
      ctx.status = reply.status;
      ctx.set(reply.headers);
      // Not null, which Koa would send as JSON.
      ctx.body = text.toString();
      const type = reply.headers['content-type'];
      if (type === undefined) ctx.remove('content-type');
      else ctx.set('content-type', type);
      ctx.status = reply.status;
      return {
        operation,
        status: reply.status,
        request: typeof request.body === 'object' ? request.body : null,
        reply: loggedBody(reply),
        replyBytes: text.length,
        notices: [],
        ...(raw.length > 0 && { raw }),
      };
    },
  };
}
