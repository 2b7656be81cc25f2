/** Liveness, readiness and metrics of a sandbox, at a separate address (OP-217, OP-218). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { components, paths } from '../../generated/operations/types.ts';
import { flatEnvelope } from '../contract/envelopes.ts';
import type { FlatFailure } from '../contract/failure-tables.ts';
import { listen } from '../http/listen.ts';
import { hostOf, isOwnHost } from '../runtime/caller.ts';
import { SeededRandom } from '../runtime/ids.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import { version } from '../version.ts';
import type { Metrics } from './metrics.ts';

type Schemas = components['schemas'];
/** The reason that calls should not be sent to this instance, or `undefined` if they should. */
type Unready =
  | 'starting'
  | 'stopping'
  | 'a store has failed: restart the sandbox'
  | 'another instance may own the workspaces'
  | undefined;

/** A function that returns the measurements of a running sandbox. */
export type Measured = () => WorkspacesMeasured;

/** A reply from the operations listener. */
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The operations listener, which starts before the sandbox and ends after it. */
export type Operations = Awaited<ReturnType<typeof startOperations>>;

/** The dependencies of the listener, besides its address. */
interface OperationsContext {
  /** Seed of the trace ids. */
  readonly seed: string;
  /** Accepted host names, besides `localhost` and IP addresses. */
  readonly hosts: readonly string[];
  /** Receives the reason that a call could not be answered. */
  readonly warn: (message: string) => void;
}

/** Starts the listener for the operator. Rejects with the system error if the port is in use. */
export async function startOperations(
  { host, port }: { readonly host: string; readonly port: number },
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  { seed, hosts, warn }: OperationsContext,
) {
  let isEnding = false;
  let measured: Measured | undefined;
  const unready = (): Unready => {
    if (isEnding) return 'stopping';
    if (measured === undefined) return 'starting';
    const { gaveUp, paused } = measured();
    if (gaveUp > 0) return 'a store has failed: restart the sandbox';
    return paused > 0 ? 'another instance may own the workspaces' : undefined;
  };
  const answers: Readonly<Record<keyof paths, () => Promise<Answer>>> = {
    '/healthz': async () => json(200, { status: 'ok', version } satisfies Schemas['Liveness']),
    '/readyz': async () => {
      const why = unready();
      if (why === undefined) {
        // The instance stays ready, because no other instance can serve the workspaces that it owns.
        const { unreachable = [] } = measured?.() ?? {};
        const headers = { 'X-Problem': `cannot reach the instance at ${unreachable.join(' and ')}` };
        const ready = json(200, { status: 'ready' } satisfies Schemas['Readiness']);
        return unreachable.length > 0 ? { ...ready, headers } : ready;
      }
      const unavailable = failed({ kind: 'unavailable' });
      return { ...unavailable, headers: { ...unavailable.headers, 'X-Problem': why } };
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text(measured?.()) }),
  };
  const traces = new SeededRandom(seed);
  const newTrace = () => traces.hex(16);
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const {
      status,
      type,
      text,
      headers = {},
    } = await answered(answers, hosts, request).catch((error: unknown) => {
      warn(`Cannot serve ${request.url}: ${String(error)}`);
      return failed({ kind: 'internal_error' });
    });
    const own = { 'X-Trace-Id': newTrace(), 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) };
    response.writeHead(status, { ...headers, ...own, 'Cache-Control': 'no-store' });
    response.end(text);
  };
  const refusal = (_: string, failure: FlatFailure) => flatEnvelope.render(failure);
  const server = await listen({ handle, internal: () => false, newTrace, refusal }, host, port, undefined, {
    connections: 100,
  });
  return {
    port: server.port,
    /** Reports that the sandbox accepts calls from now on. */
    ready(of: Measured) {
      measured = of;
    },
    /** Reports that the sandbox is stopping. */
    draining() {
      isEnding = true;
    },
    close: () => server.close(),
  };
}

async function answered(
  answers: Readonly<Record<string, () => Promise<Answer>>>,
  hosts: readonly string[],
  { method = '', url = '', headers }: IncomingMessage,
): Promise<Answer> {
  // If a page has rebound its own name to this address, the browser sends that name.
  const name = headers.host === undefined ? 'localhost' : (hostOf(headers.host)?.hostname ?? '');
  if (!isOwnHost(name, hosts)) return failed({ kind: 'foreign_host' });
  const path = url.split('?', 1)[0] ?? '';
  const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  if (answer !== undefined && isRead) return answer();
  if (answer === undefined) return failed({ kind: 'not_found', what: `Path ${path}` });
  return { ...failed({ kind: 'method_not_allowed' }), headers: { Allow: 'GET, HEAD' } };
}

function failed(failure: FlatFailure): Answer {
  const { status, body, headers } = flatEnvelope.render(failure);
  return { ...json(status, body), headers };
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json', text: JSON.stringify(body) };
}
