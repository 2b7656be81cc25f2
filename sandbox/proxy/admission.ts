import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { serverOf, webhookOf } from '../conformance/exchange.ts';
import type { Foreign } from '../contract/api.ts';
import { targetOf } from '../contract/request.ts';
import { type Boundary, callerOf, isLoopback, outgoingHeader } from '../runtime/caller.ts';
import { bearer, sameSecret } from '../runtime/tokens.ts';
import { pairs, requestProblem } from './framing.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { closing, type Refusal } from './refusal.ts';

/** Where the proxy answers itself. */
const own = '/__proxy';
export const ownFindings = `${own}/findings`;

/** Whether the proxy answers a call itself. */
export function isOwn(url: string): boolean {
  return url === own || /^\/__proxy[/?]/.test(url);
}

/** Decides which calls may enter, by who calls, before anything else is done with them (OP-65, OP-77, OP-78). */
export class Admission {
  readonly #boundary: Boundary;
  readonly #adminToken: string | undefined;
  readonly #upstreams: ProxyOptions['upstreams'];

  constructor({ host, adminToken, allowedHosts = [], upstreams }: Pick<ProxyOptions, Described>) {
    const names = [...allowedHosts, ...(isLoopback(host) ? [] : [host, hostname()])];
    this.#boundary = {
      exempt: isLoopback(host) && adminToken === undefined,
      hosts: names.map((name) => name.toLowerCase()),
      trustedProxies: [],
    };
    this.#adminToken = adminToken;
    this.#upstreams = upstreams;
  }

  /** What a call is answered that may not enter; of one that may, path and query in their one spelling (OP-67). */
  decide(request: IncomingMessage): Refusal | { readonly url: string } {
    const problem = requestProblem(request);
    if (problem !== undefined) return notPassedOn(400, 'Invalid request', problem);
    const target = targetOf(request.url ?? '');
    if ('problem' in target) return notPassedOn(400, 'Invalid request', `Invalid request target: ${target.problem}.`);
    const { url } = target;
    const { foreign, exempt } = callerOf(request, url, this.#boundary);
    if (request.headers[outgoingHeader] !== undefined && !this.#takesOutgoing(request, url)) return ofSandbox;
    // For calls of a sandbox the line above has decided.
    if (foreign !== undefined && foreign.kind !== 'own_call') return notMeant[foreign.kind];
    return isOwn(url) && !this.#mayAsk(request, exempt) ? this.#needsToken : target;
  }

  /** Whether the proxy forwards calls of a sandbox: to the client, and webhooks, where it has a server behind it for them. */
  #takesOutgoing({ method = '', rawHeaders }: IncomingMessage, url: string): boolean {
    const server = serverOf(url)?.server;
    if (server !== undefined || isOwn(url)) return server === 'client';
    return this.#upstreams.webhook !== undefined && webhookOf(method, pairs(rawHeaders)) !== undefined;
  }

  #mayAsk({ headersDistinct: { authorization: given = [] } }: IncomingMessage, exempt: boolean): boolean {
    const [authorization] = given;
    if (authorization === undefined) return exempt;
    return (
      given.length === 1 && this.#adminToken !== undefined && sameSecret(bearer(authorization) ?? '', this.#adminToken)
    );
  }

  get #needsToken(): Refusal {
    const detail =
      this.#adminToken === undefined
        ? 'Without a token, this is readable only from this machine, without an intermediate proxy, while the proxy listens on loopback. Start the proxy with --admin-token, and send the token as Authorization: Bearer.'
        : 'Send the admin token of the proxy as Authorization: Bearer.';
    return { status: 401, title: 'Missing or invalid token', detail, headers: { 'WWW-Authenticate': 'Bearer' } };
  }
}

type Described = 'host' | 'adminToken' | 'allowedHosts' | 'upstreams';

/** Refuses an ambiguous request, or one that is not for the proxy, and closes its connection. */
function notPassedOn(status: number, title: string, problem: string): Refusal {
  return { status, title, detail: `${problem} The request was not forwarded.`, headers: closing };
}

const ofSandbox = notPassedOn(
  403,
  'Call from a sandbox',
  'This call comes from a sandbox, which may only call clients.',
);

const notMeant: Readonly<Record<Exclude<Foreign['kind'], 'own_call'>, Refusal>> = {
  foreign_host: notPassedOn(
    400,
    'Not addressed to this proxy',
    'The Host header does not name this proxy. Add the name with --allow-host.',
  ),
  foreign_site: notPassedOn(400, 'Not addressed to this proxy', "The request was sent from another site's page."),
};
