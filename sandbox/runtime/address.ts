import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

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
 * containers. What is said to a public address never goes unencrypted. A name is judged again once it is resolved.
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

/** Name and port of a `Host` header; undefined where it names none, or more than that. */
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
