import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { registry, splitAddress } from '../apis/registry.ts';
import { isLoopback } from '../runtime/caller.ts';

/** The addresses on this machine of the sandbox and of its validation proxy. */
export interface OwnPlaces {
  /** Known once the sandbox listens. */
  readonly port: () => number | undefined;
  /** Undefined where no proxy is started with the sandbox. */
  readonly proxyPort: number | undefined;
  /** The IP addresses of this machine, as they are now. */
  readonly addresses: () => readonly string[];
}

/** What is wrong with an address to call, as far as it leads back to the sandbox (OP-78). */
export function selfProblem(address: string, own: OwnPlaces): string | undefined {
  const { hostname, port, protocol, pathname, search } = new URL(address);
  const number = Number.parseInt(port || (protocol === 'https:' ? '443' : '80'), 10);
  if (!isOwnAddress(hostname, own)) return undefined;
  if (number === own.port()) return 'must not be the sandbox itself, except for the URL of its reference client';
  const { url: path } = splitAddress(pathname);
  const passedOn = search === '' && (path === registry.client.prefix || pathname === '/hooks');
  if (number !== own.proxyPort || passedOn) return undefined;
  return 'must not be the validation proxy, except for its /client, and /hooks for webhooks';
}

/** Whether a host of a URL or an IP address is this machine. */
export function isOwnAddress(hostname: string, { addresses }: Pick<OwnPlaces, 'addresses'>): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(host)) return true;
  if (isIP(host) === 0) return false;
  const address = ipaddr.process(host);
  if (address.range() === 'unspecified') return true;
  const plain = address.toString();
  return addresses().some((own) => ipaddr.process(own).toString() === plain);
}
