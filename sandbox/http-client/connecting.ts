/**
 * How connections to other parties are made: only to addresses that were checked, and to the very address that was
 * (OP-60).
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
import { isLoopback, refusalOf } from '../runtime/caller.ts';
import { once } from '../runtime/once.ts';
import { cannotLoad, NotMade } from './connections.ts';

export type Connector = buildConnector.connector;

/** Ports at which other protocols are spoken, to which browsers send no HTTP either (the `bad ports` of the Fetch standard). */
const foreignPorts: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530],
  ...[531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045],
  ...[4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Finds the IP addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** Asks the machine's own resolver. */
export const systemResolve: Resolve = (name) => lookup(name, { all: true, verbatim: true });

/** No connection was tried, for the reason in the message: the address is not one that may be called. */
export class RefusedAddress extends NotMade {}

/** What may be connected to. Times are milliseconds. */
interface Guard {
  /** Ranges that the operator allows in addition to public addresses. */
  readonly allowed: readonly string[];
  readonly resolve: Resolve;
  readonly timeout: number;
  /** The addresses of the sandbox itself, which it must not call for others (OP-78). */
  readonly own: OwnPlaces;
}

/**
 * Connects to public and allowed addresses only. A name is resolved here, every address that it has is checked, and the
 * socket is given those addresses and never the name, so that a name cannot change its mind in between. For an IP
 * literal no lookup is made, so it is checked beforehand.
 */
export function guardedConnector(guard: Guard): Connector {
  // A connector knows no port when it looks a name up, so the sandbox's own port has connectors of its own.
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

/** Why no connection may be made to an IP address; undefined if one may. */
type Refuses = (address: string) => string | undefined;

function wayOf(protocol: string, ownPort: boolean, { allowed, resolve, timeout, own }: Guard) {
  const refuses: Refuses = (address) =>
    ownPort && isOwnAddress(address, own) ? 'the address is the sandbox itself' : refusalOf(address, protocol, allowed);
  const checked = checkedLookup(refuses, resolve);
  return { refuses, connect: connector({ timeout, allowH2: false, lookup: checked }) };
}

/** A connector of undici, made for its first connection. */
function connector(options: buildConnector.BuildOptions): Connector {
  const connect = once(async () => (await import('undici')).buildConnector(options));
  return (target, done) =>
    void connect().then(
      (to) => to(target, done),
      () => done(cannotLoad(), null),
    );
}

/** Why a name is not called, whatever it resolves to. */
const noneToCall = 'no address that may be called: a public one under https, or one allowed with --allow-address';

/** How a resolver says that a name has no address. */
const unknownName: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** A lookup that fails when any address of the name must not be connected to. */
export function checkedLookup(refuses: Refuses, resolve: Resolve): LookupFunction {
  const checked = async (name: string) => {
    const found = await resolve(name).catch((error: NodeJS.ErrnoException) => {
      if (!unknownName.has(error.code)) throw error;
      return [];
    });
    const [first] = found;
    // Both get the same text, so that nobody learns which names exist in the operator's network.
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

/** Connects to the sandbox itself and to nothing else, through `open`: its parties call each other wherever it listens. */
export function toItself(origin: () => string, open: () => Duplex): Connector {
  return ({ protocol, host, hostname }, done) =>
    queueMicrotask(() => {
      const isItself = `${protocol}//${host ?? hostname}` === origin();
      if (!isItself) return done(new RefusedAddress(`${host ?? hostname} is not the sandbox itself`), null);
      // undici uses nothing of a socket that any stream of both directions does not have.
      done(null, open() as Socket);
    });
}

/** Trust in one certificate, whatever its issuer and subject. */
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

/** The addresses on this machine of the sandbox and of its validation proxy. */
export interface OwnPlaces {
  /** Known once the sandbox listens. */
  readonly port: () => number | undefined;
  /** Undefined if no proxy is started with the sandbox. */
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
