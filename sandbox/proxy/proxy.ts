import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConnectionOptions } from 'node:tls';
import type { Checker } from '../conformance/checker.ts';
import type { FindingCollector } from '../conformance/finding-collector.ts';
import { Admission, isOwn, ownFindings } from './admission.ts';
import { UpstreamConnections } from './forwarding.ts';
import { pass } from './pass.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { listen } from './proxy-server.ts';
import { answer, refuse } from './refusal.ts';

/** A running proxy. */
export interface Proxy {
  readonly url: string;
  /** Accepts no more calls, waits for those in progress (8 s at most; event streams end immediately), and closes. */
  close(): Promise<void>;
}

/** Starts the proxy. Rejects with the system's error when it cannot listen. */
export async function startProxy(checker: Checker, book: FindingCollector, options: ProxyOptions): Promise<Proxy> {
  const connections = new UpstreamConnections(options.sandbox, await trustOf(options));
  const streams = new Set<ServerResponse>();
  const around = { checker, book, options, connections, streams };
  const admission = new Admission(options);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const decided = admission.decide(request);
    if ('status' in decided) return refuse(response, decided);
    const { url } = decided;
    return isOwn(url) ? answerOwn(request, response, url, book) : pass(around, request, response, url);
  };
  const { url, drain } = await listen(options.host, options.port, handle, options.limits);
  return {
    url,
    async close() {
      for (const stream of streams) stream.destroy();
      await drain();
      connections.close();
    },
  };
}

/** Trusts the sandbox's own certificate, if it has one. The module for that is loaded only then. */
async function trustOf({ sandboxCertificate }: ProxyOptions): Promise<ConnectionOptions> {
  if (sandboxCertificate === undefined) return {};
  const { trustOnly } = await import('../http-client/connecting.ts');
  return trustOnly(sandboxCertificate);
}

/** The proxy's own operation (openapi/proxy.yaml). */
function answerOwn({ method }: IncomingMessage, response: ServerResponse, url: string, book: FindingCollector): void {
  const [path] = url.split('?');
  if (path !== ownFindings) {
    const detail = `The proxy itself serves only GET ${ownFindings}.`;
    return refuse(response, { status: 404, title: 'Not found', detail });
  }
  // Node sends no body where the method is HEAD.
  if (method === 'GET' || method === 'HEAD') return answer(response, 200, 'application/json', book.report);
  const detail = `${ownFindings} supports GET only.`;
  refuse(response, { status: 405, title: 'Method not allowed', detail, headers: { Allow: 'GET, HEAD' } });
}
