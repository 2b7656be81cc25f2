import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type RegisteredApi, registry } from '../apis/registry.ts';
import type { CallOrigin, Foreign } from '../contract/api.ts';
import { hostOf, inRanges, isLoopback } from './address.ts';

/**
 * Carried by every call that a sandbox makes to another party: the receiver knows that no person sent it
 * (OP-77).
 */
export const outgoingHeader = 'x-sandbox-outgoing';
/**
 * A header of a workspace's calls to its own sandbox, in addition to the mark; its value identifies the workspace, and is
 * unguessable.
 */
export const ownCallHeader = 'x-sandbox-own-call';

/** What a server knows of itself when it judges who calls. */
export interface Boundary {
  /** Whether this machine needs no admin token: only while bound to loopback, and while none was given (OP-65). */
  readonly exempt: boolean;
  /** Names that a call may be addressed to, in addition to those of this machine and IP addresses. */
  readonly hosts: readonly string[];
  /** Ranges of proxies that are believed about whom they call for (OP-87). */
  readonly trustedProxies: readonly string[];
}

/**
 * Resolves the origin of a call, once, on arrival; control API, allowlist, log and pages use the result
 * (OP-77). `url` is the normalized target of the call: path and query.
 */
export function callerOf(request: IncomingMessage, url: string, boundary: Boundary): CallOrigin {
  const { headers, socket } = request;
  const peer = socket.remoteAddress ?? '';
  const trusted = inRanges(peer, boundary.trustedProxies);
  const named = (trusted ? last(headers['x-forwarded-host']) : undefined) ?? headers.host;
  const host = hostOf(named ?? '');
  const kind = kindOf(headers, peer);
  const site = siteOf(headers, host);
  // Only HTTP/1.0 comes without a name, and no browser speaks it.
  const misnamed = named !== undefined && (host === undefined || !isOwnHost(host.hostname, boundary.hosts));
  const foreign = misnamed ? ({ kind: 'foreign_host' } as const) : foreignOf(request, url, site);
  const local = kind === 'machine' && isLoopback(host?.hostname ?? '') && (site === 'own' || site === 'none');
  return {
    kind,
    addresses: addressesOf(peer, String(headers['x-forwarded-for'] ?? ''), trusted ? boundary.trustedProxies : []),
    exempt: boundary.exempt && local && foreign === undefined,
    ...(foreign !== undefined && { foreign }),
  };
}

type Host = ReturnType<typeof hostOf>;

function last(values: string | readonly string[] | undefined): string | undefined {
  return [values ?? []].flat().join(',').split(',').at(-1)?.trim() || undefined;
}

function kindOf(headers: IncomingHttpHeaders, peer: string): CallOrigin['kind'] {
  if (headers[outgoingHeader] !== undefined) return 'sandbox';
  for (const name of Object.keys(headers)) if (forwarding.test(name)) return 'forwarded';
  return isLoopback(peer) ? 'machine' : 'network';
}

/** Headers that a proxy adds to what it passes on. */
const forwarding =
  /^(x-forwarded(-.+)?|forwarded|via|x-real-ip|x-client-ip|x-original-.+|(true-client|cf-connecting)-ip)$/;

/**
 * Which page a browser sends a call for: one of this server, no page at all, one that hides its origin, or another's.
 */
type Site = 'own' | 'none' | 'hidden' | 'other';

function siteOf({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, host: Host): Site {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'other';
  if (origin !== undefined && origin !== 'null') return sameHost(origin, host) ? 'own' : 'other';
  if (site !== undefined) return site === 'none' ? 'none' : 'own';
  return origin === undefined ? 'none' : 'hidden';
}

function sameHost(origin: string, host: Host): boolean {
  const { protocol = '', host: from = '' } = URL.parse(origin) ?? {};
  const sender = hostOf(from);
  if (sender === undefined || host === undefined || !/^https?:$/.test(protocol)) return false;
  // Behind a proxy that ends TLS, it is unknown which of the two ports is the default.
  const port = ({ port: given }: NonNullable<Host>) => given || (protocol === 'https:' ? '443' : '80');
  return sender.hostname === host.hostname && port(sender) === port(host);
}

function foreignOf(request: IncomingMessage, url: string, site: Site): Foreign | undefined {
  const { headers, method = '' } = request;
  if (headers[outgoingHeader] !== undefined && !takesOutgoing(url, headers)) return { kind: 'own_call' };
  const navigation = /^(GET|HEAD)$/.test(method) && headers['sec-fetch-mode'] === 'navigate';
  if (site === 'other' && !navigation) return { kind: 'foreign_site' };
  // The address of a session cannot be guessed, so the sender of a form was on its page.
  const isOutside = site === 'hidden' && !sessionPaths.some((path) => url.startsWith(path));
  return isOutside ? { kind: 'foreign_site' } : undefined;
}

/**
 * Whether a name is this server's. An IP address is always one: no page can make one lead elsewhere (DNS rebinding).
 */
export function isOwnHost(hostname: string, hosts: readonly string[]): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || hosts.includes(name);
}

/** Below these paths an address itself says whose session it is. */
const sessionPaths = Object.values<RegisteredApi>(registry)
  .filter(({ credential }) => credential === 'address')
  .map(({ prefix }) => `${prefix}/s/`);
const clientPath = `${registry.client.prefix}/`;
const rewardsPath = `${registry.rewards.prefix}/`;

/**
 * A sandbox calls the client at `/client`; its own reference client calls the platform at `/rewards`. Nothing else is
 * meant.
 */
function takesOutgoing(url: string, headers: IncomingHttpHeaders): boolean {
  return url.startsWith(clientPath) || (headers[ownCallHeader] !== undefined && url.startsWith(rewardsPath));
}

/**
 * The addresses that a call comes from. The peer's counts, unless it is a trusted proxy: then the last address of
 * `X-Forwarded-For` that is not such a proxy: the caller can write anything before it. If that entry is not an address, the
 * caller is unknown, and no allowlist contains it. A proxy of this machine that is not trusted cannot lend its own
 * address to whom it calls for: both count.
 */
function addressesOf(peer: string, forwardedFor: string, trusted: readonly string[]): readonly string[] {
  if (forwardedFor === '') return [peer];
  const hops = forwardedFor.split(',').map((text) => text.trim());
  if (trusted.length === 0) return isLoopback(peer) ? [peer, hops.at(-1) ?? ''] : [peer];
  for (const hop of hops.toReversed()) {
    if (isIP(hop) === 0) return ['unknown'];
    if (!inRanges(hop, trusted)) return [hop];
  }
  return [peer];
}
