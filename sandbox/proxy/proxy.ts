import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import type { Checker } from '../conformance/checker.ts';
import { serverOf, webhookOf } from '../conformance/exchange.ts';
import type { FindingCollector } from '../conformance/finding-collector.ts';
import type { Foreign } from '../contract/api.ts';
import { targetOf } from '../contract/request.ts';
import { type Boundary, callerOf, isLoopback, outgoingHeader } from '../runtime/caller.ts';
import { bearer, sameSecret } from '../runtime/tokens.ts';
import { UpstreamConnections } from './forwarding.ts';
import { pairs, requestProblem } from './framing.ts';
import { pass } from './pass.ts';
import { listen, type ProxyOptions } from './proxy-server.ts';
import { answer, closing, type Refusal, refuse } from './refusal.ts';

/** Starts the proxy. Rejects with the system's error if it cannot listen. */
export async function startProxy(checker: Checker, book: FindingCollector, options: ProxyOptions) {
  const connections = new UpstreamConnections(options.sandbox, await loadTrust(options));
  const streams = new Set<ServerResponse>();
  const parts = { checker, book, options, connections, streams };
  const admission = admissionOf(options);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const decided = admission(request);
    if ('status' in decided) return refuse(response, decided);
    const { url } = decided;
    return isOwn(url) ? answerOwn(request, response, url, book) : pass(parts, request, response, url);
  };
  const { url, drain } = await listen(options.host, options.port, handle, options.limits);
  return {
    url,
    /** Stops accepting calls, waits at most 8 s for those in progress, and closes. Event streams end immediately. */
    async close() {
      for (const stream of streams) stream.destroy();
      await drain();
      connections.close();
    },
  };
}

/** Returns TLS options that trust the sandbox's own certificate, if it has one. Loads the required module only in that case. */
async function loadTrust({ sandboxCertificate }: ProxyOptions): Promise<ConnectionOptions> {
  if (sandboxCertificate === undefined) return {};
  const { trustOnly } = await import('../http-client/connecting.ts');
  return trustOnly(sandboxCertificate);
}

/** Answers the proxy's own operation (openapi/proxy.yaml). */
function answerOwn({ method }: IncomingMessage, response: ServerResponse, url: string, book: FindingCollector): void {
  const [path] = url.split('?');
  if (path !== ownFindings) {
    const detail = `The proxy itself serves only GET ${ownFindings}.`;
    return refuse(response, { status: 404, title: 'Not found', detail });
  }
  // Node sends no body for HEAD.
  if (method === 'GET' || method === 'HEAD') return answer(response, 200, 'application/json', book.report);
  const detail = `${ownFindings} supports GET only.`;
  refuse(response, { status: 405, title: 'Method not allowed', detail, headers: { Allow: 'GET, HEAD' } });
}

/** The path prefix that the proxy answers itself. */
const own = '/__proxy';
const ownFindings = `${own}/findings`;

/** Returns whether the proxy answers a call itself. */
function isOwn(url: string): boolean {
  return url === own || /^\/__proxy[/?]/.test(url);
}

/**
 * Returns a function that decides which calls are accepted, based on their origin, before any other processing (OP-65, OP-77, OP-78).
 * It returns the refusal of a call that is not accepted. For an accepted call, it returns its normalized path and query (OP-67).
 */
function admissionOf({ host, adminToken, allowedHosts = [], upstreams }: ProxyOptions) {
  const names = [...allowedHosts, ...(isLoopback(host) ? [] : [host, hostname()])];
  const boundary: Boundary = {
    exempt: isLoopback(host) && adminToken === undefined,
    hosts: names.map((name) => name.toLowerCase()),
    trustedProxies: [],
    origins: [],
  };
  /** Whether the proxy forwards a call from a sandbox: one to the client, or a webhook if webhooks have an upstream server. */
  const takesOutgoing = ({ method = '', rawHeaders }: IncomingMessage, url: string) => {
    const server = serverOf(url)?.server;
    if (server !== undefined || isOwn(url)) return server === 'client';
    return upstreams.webhook !== undefined && webhookOf(method, pairs(rawHeaders)) !== undefined;
  };
  const mayAsk = ({ headersDistinct: { authorization: given = [] } }: IncomingMessage, exempt: boolean) => {
    const [authorization] = given;
    if (authorization === undefined) return exempt;
    return given.length === 1 && adminToken !== undefined && sameSecret(bearer(authorization) ?? '', adminToken);
  };
  return (request: IncomingMessage): Refusal | { readonly url: string } => {
    const problem = requestProblem(request);
    if (problem !== undefined) return notPassedOn(400, 'Invalid request', problem);
    const target = targetOf(request.url ?? '');
    if ('problem' in target) return notPassedOn(400, 'Invalid request', `Invalid request target: ${target.problem}.`);
    const { url } = target;
    const { foreign, exempt } = callerOf(request, url, boundary);
    if (request.headers[outgoingHeader] !== undefined && !takesOutgoing(request, url)) return ofSandbox;
    // For calls from a sandbox, the line above has decided.
    if (foreign !== undefined && foreign.kind !== 'own_call') return notMeant[foreign.kind];
    return isOwn(url) && !mayAsk(request, exempt) ? needsToken(adminToken) : target;
  };
}

function needsToken(adminToken: string | undefined): Refusal {
  const detail =
    adminToken === undefined
      ? 'Without a token, this is readable only from this machine, without an intermediate proxy, while the proxy listens on loopback. Start the proxy with --admin-token, and send the token as Authorization: Bearer.'
      : 'Send the admin token of the proxy as Authorization: Bearer.';
  return { status: 401, title: 'Missing or invalid token', detail, headers: { 'WWW-Authenticate': 'Bearer' } };
}

/** Refuses an ambiguous request, or one that is not addressed to the proxy, and closes its connection. */
function notPassedOn(status: number, title: string, problem: string): Refusal {
  return { status, title, detail: `${problem} The request was not forwarded.`, headers: closing };
}

const ofSandbox = notPassedOn(
  403,
  'Call from a sandbox',
  'This call comes from a sandbox, which may only call clients.',
);

const notAddressed = (problem: string) => notPassedOn(400, 'Not addressed to this proxy', problem);

const notMeant: Readonly<Record<Exclude<Foreign['kind'], 'own_call'>, Refusal>> = {
  foreign_host: notAddressed('The Host header does not name this proxy. Add the name with --allow-host.'),
  foreign_site: notAddressed("The request was sent from another site's page."),
};
