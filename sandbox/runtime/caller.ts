import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type RegisteredApi, registry } from '../apis/registry.ts';
import type { CallOrigin, Foreign } from '../contract/api.ts';

/** Addresses that a local sandbox may call by default: the machine that it runs on (OP-60). */
export const localAddresses: readonly string[] = ['127.0.0.0/8', '::1/128'];

/**
 * Global unicast as far as it was ever given out; beyond it lie old ways of writing an IPv4 address inside an IPv6 one.
 */
const givenOut = ipaddr.parseCIDR('2000::/3');

/**
 * What is wrong with an address that is to be called later, as far as can be checked before its name is resolved: https
 * anywhere public, plain http on loopback and in private ranges that the operator allows (OP-26, OP-32, OP-60). A URL
 * parser has turned every notation of an IP address into one by then.
 */
export function addressProblem(address: string, allowed: readonly string[]): string | undefined {
  const neither = 'must be an https URL, or http on loopback or in a private range allowed with --allow-address';
  if (!URL.canParse(address)) return neither;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return neither;
  if (protocol !== 'https:' && !(protocol === 'http:' && takesPlainHttp(hostname, allowed))) return neither;
  const host = bare(hostname);
  const addresses = ipaddr.isValid(host) ? [host] : isLoopback(host) ? ['127.0.0.1', '::1'] : [];
  if (addresses.length === 0 || addresses.some((literal) => isPublic(literal) || inRanges(literal, allowed)))
    return undefined;
  return 'must be a public address or one allowed with --allow-address';
}

/**
 * Why no connection may be made to an IP address; undefined when one may (OP-26, OP-60). The reason does not contain the
 * address: a caller must not learn what a name of the internal network resolves to.
 */
export function refusalOf(address: string, protocol: string, allowed: readonly string[]): string | undefined {
  if (protocol !== 'https:' && !takesPlainHttp(address, allowed))
    return 'plain http is allowed only on loopback and in private ranges allowed with --allow-address';
  if (isPublic(address) || inRanges(address, allowed)) return undefined;
  return 'the address is not public and not allowed with --allow-address';
}

/**
 * Whether a host may be called over plain http: on loopback, or in an allowed range of a private network, as that of
 * containers. What is said to a public address never goes unencrypted. A name is checked again once it is resolved.
 */
function takesPlainHttp(hostname: string, allowed: readonly string[]): boolean {
  if (isLoopback(hostname)) return true;
  const host = bare(hostname);
  if (!ipaddr.isValid(host)) return allowed.some((range) => !isLoopback(ipaddr.parseCIDR(range)[0].toString()));
  return !isPublic(host) && inRanges(host, allowed);
}

/** Whether an IP address belongs to a host of the public internet. */
function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(givenOut));
}

/** Whether a host of a URL is this machine: `localhost` and names under it, or an IP literal of the loopback range. */
export function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  // Every call asks, and parsing an address is slow: the notation that sockets and most hosts have is read as it is.
  const dotted = host.startsWith('::ffff:') ? host.slice('::ffff:'.length) : host;
  if (isIPv4(dotted)) return dotted.startsWith('127.');
  if (host === '::1' || /^([^.]+\.)*localhost\.?$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Name and port of a `Host` header; undefined if it names none, or more than that. */
export function hostOf(header: string): { readonly hostname: string; readonly port: string } | undefined {
  if (!/^[^\s/?#@\\]+$/.test(header)) return undefined;
  const [, hostname = '', port = ''] = /^(\[[^\]]+\]|[^:]+)(?::(\d*))?$/.exec(header) ?? [];
  return hostname === '' ? undefined : { hostname: hostname.toLowerCase(), port };
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether `text` is an address range in CIDR notation. */
export function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

/** Whether a peer's address is in one of the ranges (OP-31). */
export function inRanges(peer: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(peer)) return false;
  const address = ipaddr.process(peer);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** How a host is written in a URL; an address that means every interface is reached on this machine's own. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

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

/** What a server knows of itself when it checks who calls. */
export interface Boundary {
  /** Whether this machine needs no admin token: only while bound to loopback, and while none was given (OP-65). */
  readonly exempt: boolean;
  /** Names that a call may be addressed to, in addition to those of this machine and IP addresses. */
  readonly hosts: readonly string[];
  /** Origins of other sites whose pages may call (OP-270). */
  readonly origins: readonly string[];
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
  const site = siteOf(headers, host, boundary.origins);
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
 * Which page a browser sends a call for: one of this server, no page at all, one that hides its origin, one of a site that may
 * call, or another's.
 */
type Site = 'own' | 'none' | 'hidden' | 'allowed' | 'other';

function siteOf({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, host: Host, allowed: readonly string[]): Site {
  if (origin !== undefined && allowed.includes(origin) && !sameHost(origin, host)) return 'allowed';
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
