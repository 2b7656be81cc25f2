/**
 * Opens connections to other parties, only to addresses that were checked and to exactly the checked address (OP-60).
 */

import { X509Certificate } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';
import { registry, splitAddress } from '../apis/registry.ts';
import { once } from '../runtime/caches.ts';
import { isLoopback, refusalOf } from '../runtime/caller.ts';
import { cannotLoad, NotMade } from './connections.ts';

export type Connector = buildConnector.connector;

/** Ports of other protocols, which browsers block too (the "bad ports" of the Fetch standard). */
const foreignPorts: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530],
  ...[531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045],
  ...[4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Resolves a name to its IP addresses. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** Resolves a name with the machine's own resolver. */
export const systemResolve: Resolve = (name) => lookup(name, { all: true, verbatim: true });

/** A call to an address that is not allowed. No connection was attempted. */
export class RefusedAddress extends NotMade {}

/** The rules for outgoing connections. Times are in milliseconds. */
interface Guard {
  /** Ranges that the operator allows, in addition to public addresses. */
  readonly allowed: readonly string[];
  readonly resolve: Resolve;
  readonly timeout: number;
  /** The sandbox's own addresses, which it must not call on behalf of others (OP-78). */
  readonly own: OwnPlaces;
}

/**
 * Creates a connector for public and allowed addresses only. It resolves a name, checks all its addresses, and passes
 * these addresses to the socket instead of the name. A name can therefore not change its address after the check. IP
 * literals need no lookup, so they are checked beforehand.
 */
export function guardedConnector(guard: Guard): Connector {
  // A lookup does not know the port, so the sandbox's own port needs separate connectors.
  const ways = new Map(
    ['http:', 'https:'].flatMap((protocol) =>
      [true, false].map((ownPort) => [`${protocol} ${ownPort}`, wayOf(protocol, ownPort, guard)] as const),
    ),
  );
  return (target, done) => {
    const { hostname, protocol, port } = target;
    const to = Number(port || (protocol === 'https:' ? 443 : 80));
    const way = ways.get(`${protocol} ${to === guard.own.port()}`);
    const ofAddress = isIP(hostname) === 0 ? undefined : way?.refuses(hostname);
    const refusal = foreignPorts.has(to) ? `port ${to} belongs to another protocol` : ofAddress;
    if (refusal !== undefined) queueMicrotask(() => done(new RefusedAddress(refusal), null));
    else way?.connect(target, done);
  };
}

/** Returns the reason not to connect to an IP address; `undefined` if the connection is allowed. */
type Refuses = (address: string) => string | undefined;

function wayOf(protocol: string, ownPort: boolean, { allowed, resolve, timeout, own }: Guard) {
  const refuses: Refuses = (address) =>
    ownPort && isOwnAddress(address, own) ? 'the address is the sandbox itself' : refusalOf(address, protocol, allowed);
  const checked = checkedLookup(refuses, resolve);
  return { refuses, connect: connector({ timeout, allowH2: false, lookup: checked }) };
}

/** Creates an undici connector that is loaded on the first connection. */
function connector(options: buildConnector.BuildOptions): Connector {
  const connect = once(async () => (await import('undici')).buildConnector(options));
  return (target, done) =>
    void connect().then(
      (to) => to(target, done),
      () => done(cannotLoad(), null),
    );
}

/** The reason for refusing a name, regardless of its addresses. */
const noneToCall = 'no address that may be called: a public one under https, or one allowed with --allow-address';

/** Resolver error codes for a name without addresses. */
const unknownName: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Returns a lookup that fails if any address of the name is not allowed. */
export function checkedLookup(refuses: Refuses, resolve: Resolve): LookupFunction {
  const checked = async (name: string) => {
    const found = await resolve(name).catch((error: NodeJS.ErrnoException) => {
      if (!unknownName.has(error.code)) throw error;
      return [];
    });
    const [first] = found;
    // Both cases use the same text, so that callers cannot find out which names exist in the operator's network.
    if (first === undefined || found.some(({ address }) => refuses(address) !== undefined)) {
      throw new RefusedAddress(`${name} has ${noneToCall}`);
    }
    return { first, found };
  };
  return (name, { all }, done) => {
    checked(name).then(
      ({ first, found }) => (all === true ? done(null, [...found]) : done(null, first.address, first.family)),
      (error: Error) => done(error, ''),
    );
  };
}

/**
 * Creates a connector that reaches only the sandbox itself, through `open`. The sandbox's parties can thus call each
 * other wherever it listens.
 */
export function toItself(origin: () => string, open: () => Duplex): Connector {
  return ({ protocol, host, hostname }, done) =>
    queueMicrotask(() => {
      const isItself = `${protocol}//${host ?? hostname}` === origin();
      if (!isItself) return done(new RefusedAddress(`${host ?? hostname} is not the sandbox itself`), null);
      // undici uses only the socket features that every duplex stream has.
      done(null, open() as Socket);
    });
}

/** Returns TLS options that trust only one certificate, regardless of its issuer and subject. */
export function trustOnly(
  certificate: string,
): Pick<ConnectionOptions, 'ca' | 'allowPartialTrustChain' | 'checkServerIdentity'> {
  const { fingerprint256 } = new X509Certificate(certificate);
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    checkServerIdentity: (_, peer) =>
      peer.fingerprint256 === fingerprint256
        ? undefined
        : new RefusedAddress("the server's certificate is not that of the sandbox"),
  };
}

/** The addresses of the sandbox and its validation proxy on this machine. */
export interface OwnPlaces {
  /** The sandbox's port; `undefined` until it is known. */
  readonly port: () => number | undefined;
  /** The proxy's port; `undefined` if no proxy is started with the sandbox. */
  readonly proxyPort: number | undefined;
  /** The current IP addresses of this machine. */
  readonly addresses: () => readonly string[];
}

/** Returns the problem with an address that leads back to the sandbox; `undefined` if it does not (OP-78). */
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

/** Returns whether the host of a URL, or an IP address, is this machine. */
export function isOwnAddress(hostname: string, { addresses }: Pick<OwnPlaces, 'addresses'>): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(host)) return true;
  if (isIP(host) === 0) return false;
  const address = ipaddr.process(host);
  if (address.range() === 'unspecified') return true;
  const plain = address.toString();
  return addresses().some((own) => ipaddr.process(own).toString() === plain);
}
