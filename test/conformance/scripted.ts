/** Servers that send an exchange's reply: a plain HTTP server, and the sandbox's own application with its log. */
import { request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Activity } from '../../sandbox/activity-log/activity.ts';
import { findApi, registry } from '../../sandbox/apis/registry.ts';
import { loadApis, mountApis } from '../../sandbox/assembly/apis.ts';
import { at } from '../../sandbox/contract/document.ts';
import { flatEnvelope } from '../../sandbox/contract/envelopes.ts';
import type { LoadedContract } from '../../sandbox/contract/schemas.ts';
import type { Arrival } from '../../sandbox/http/call-state.ts';
import { FairQueue } from '../../sandbox/http/fair-queue.ts';
import { pipeline } from '../../sandbox/http/pipeline.ts';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import type { Draft } from '../harness/exchanges.ts';
import { httpServer } from '../harness/http-server.ts';
import { testSpans } from '../harness/spans.ts';

/** The current exchange. */
export interface Script {
  now: Draft;
}

/** Returns a body's bytes on the wire. */
export function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Returns the path and query of an exchange at its server. */
export function targetOf({ server, path, query }: Draft): string {
  const search = new URLSearchParams(query).toString();
  const prefix = server === 'webhook' ? '' : registry[server].prefix;
  return `${prefix}${path}${search === '' ? '' : `?${search}`}`;
}

/** Sends an exchange's request byte for byte. Resolves when the reply is complete. */
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

/** Starts a plain HTTP server that sends the reply of the current exchange. */
export function scriptedServer(script: Script): Promise<URL> {
  return httpServer((request, response) => {
    request.resume().once('end', () => answer(script.now, response));
  });
}

function answer({ reply }: Draft, response: ServerResponse): void {
  response.writeHead(reply.status, reply.headers).end(bytesOf(reply.body));
}

/**
 * Starts the sandbox's pipeline with its log. Each request passes through the whole pipeline. Every credential of the right scheme is
 * valid, and all handlers fail.
 */
export function validatingSandbox(activity: Activity): Promise<URL> {
  const watch = { violation: () => {}, error: () => ({ kind: 'internal_error' as const }) };
  const fail = () => {
    throw new Error('no handler');
  };
  const rules = { party: () => undefined, envelope: () => flatEnvelope, anyone: undefined };
  const handled = (contract: LoadedContract) => ({
    ...rules,
    handlers: Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, fail])),
    authenticators: Object.fromEntries(contract.securitySchemes.map((name) => [name, takes(contract, name)])),
  });
  const served = loadApis().map(
    ({ name, parts }) =>
      [name, Object.fromEntries(parts.map((contract) => [contract.api, handled(contract)]))] as const,
  );
  const apis = mountApis(loadApis(), Object.fromEntries(served) as never, watch);
  const apiOf = findApi(apis);
  const workspace = {
    parties: { activity, spans: testSpans(), traces: new SeededRandom('scripted') },
    faults: { behind: () => undefined, asksForBody: () => false, take: async () => undefined },
  };
  const arrival: Arrival = {
    address({ path, state }, next) {
      const origin = { kind: 'network', addresses: [''], exempt: false } as const;
      Object.assign(state, { api: apiOf(path), tenant: '', origin, workspace });
      return next();
    },
    caller: (_, next) => next(),
    workspace: (_, next) => next(),
  };
  const workspaces = { isOwnCall: () => true };
  const around = {
    workspaces,
    home: {} as never,
    queue: FairQueue.prototype,
    boundary: { origins: [] },
    docs: undefined,
  };
  const app = pipeline(arrival, { ...around, apis, watch });
  return httpServer(app.callback());
}

/** Returns an authenticator that accepts every credential of a scheme. */
function takes({ bundle }: LoadedContract, name: string) {
  const { type, scheme } = at(bundle, `/components/securitySchemes/${name}`) as { type: string; scheme?: string };
  const form = type === 'apiKey' ? /./ : scheme === 'basic' ? /^Basic [\w+/=-]+$/i : /^Bearer\s.+$/;
  return async (_: unknown, authorization: string | undefined) => (form.test(authorization ?? '') ? {} : undefined);
}
