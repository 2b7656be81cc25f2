import ipaddr from 'ipaddr.js';

/** Whether an address may be called: https anywhere, plain http on loopback only (OP-26, OP-32). */
export function loopbackOrHttps(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Whether a host of a URL is this machine: `localhost`, or an IP literal of the loopback range. */
export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return bare === 'localhost' || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback');
}

/** Whether `text` is an address range in CIDR notation. */
export function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

/** Whether a peer's address is in one of the ranges (OP-31). */
export function inRanges(peer: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(peer)) return false;
  const address = ipaddr.process(peer);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}
