import { X509Certificate } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { type CallOptions, hostsOf, isReachedByOthers, trustedOf } from '../options.ts';
import { type Boundary, isLoopback } from '../runtime/caller.ts';
import type { Certificate } from './certificate.ts';

/** Where the sandbox listens, and whether an admin token was given. */
interface Reached extends CallOptions {
  readonly host: string;
  readonly adminToken?: string;
}

/** How callers are identified: this machine is exempt only while no other caller can reach the sandbox (OP-65, OP-77). */
export function boundaryOf(options: Reached, tls: Certificate | undefined): Boundary {
  const { host, adminToken } = options;
  return {
    exempt: !isReachedByOthers(options) && adminToken === undefined,
    hosts: [...hostsOf(options), ...(isLoopback(host) ? [] : [host, hostname()]), ...namesOf(tls)].map((name) =>
      name.toLowerCase(),
    ),
    trustedProxies: trustedOf(options),
  };
}

/** The names that a certificate is for. */
function namesOf(tls: Certificate | undefined): string[] {
  const { subjectAltName = '' } = tls === undefined ? {} : new X509Certificate(tls.cert);
  return [...(subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => name);
}

/** The IP addresses of this machine, as they are now. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}
