/** The HTTP server of a sandbox: its certificate, its handler, and calls forwarded between instances. */
import { X509Certificate } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import type { ClusterMember } from '../cluster/cluster-member.ts';
import { type CallOptions, hostsOf, isReachedByOthers, originsOf, trustedOf } from '../options.ts';
import { type Boundary, isLoopback } from '../runtime/caller.ts';
import type { CallObserver } from '../runtime/observer.ts';
import type { Files } from '../store/files.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { type ArrivalParts, arrivalOfInstances, entranceOf, isInternal } from './arrival.ts';
import { type Certificate, type CertificateFiles, givenCertificate, ownCertificate } from './certificate.ts';
import { type HttpServer, listen, type ServerParts } from './listen.ts';
import { type PipelineParts, pipeline } from './pipeline.ts';

/** Options that determine the certificate of a sandbox. */
interface CertificateOptions {
  readonly https?: true | CertificateFiles | undefined;
  readonly dataDir?: string | undefined;
  readonly files?: Files | undefined;
}

/** Returns the functions that serve calls forwarded by other instances, and calls whose workspace another instance may own. */
export function forwardedServing(parts: ArrivalParts & PipelineParts): Parameters<ClusterMember['serve']>[0] {
  return {
    ...parts,
    ...entranceOf(parts),
    internal: isInternal,
    handlerOf: (forwarded) => pipeline(arrivalOfInstances(parts.apis, forwarded), parts).callback(),
  };
}

export function serveSandbox(
  handle: ServerParts['handle'],
  demo: Workspace,
  { host, port }: { readonly host: string; readonly port: number },
  tls: Certificate | undefined,
  observer: CallObserver | undefined,
): Promise<HttpServer> {
  const served: ServerParts = {
    handle,
    internal: isInternal,
    newTrace: demo.newTrace,
    refusal: demo.refusal,
    refused: observer?.refused,
  };
  return listen(served, host, port, tls);
}

/** Resolves with the certificate to serve with, or `undefined` for plain HTTP. */
export function certificateFor(
  { https, dataDir, files }: CertificateOptions,
  now: number,
): Promise<Certificate | undefined> {
  if (https === undefined) return Promise.resolve(undefined);
  return https === true ? ownCertificate(dataDir, now, files) : givenCertificate(https, now);
}

/** The address at which the sandbox listens, and its admin token, if any. */
interface ListenOptions extends CallOptions {
  readonly host: string;
  readonly adminToken?: string;
}

/** Returns the rules that identify callers. This machine is exempt only while no other caller can reach the sandbox (OP-65, OP-77). */
export function boundaryOf(options: ListenOptions, tls: Certificate | undefined): Boundary {
  const { host, adminToken } = options;
  return {
    exempt: !isReachedByOthers(options) && adminToken === undefined,
    hosts: [...hostsOf(options), ...(isLoopback(host) ? [] : [host, hostname()]), ...namesOf(tls)].map((name) =>
      name.toLowerCase(),
    ),
    trustedProxies: trustedOf(options),
    origins: originsOf(options),
  };
}

/** Returns the DNS names in a certificate. */
function namesOf(tls: Certificate | undefined): string[] {
  const { subjectAltName = '' } = tls === undefined ? {} : new X509Certificate(tls.cert);
  return [...(subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => name);
}

/** Returns the current IP addresses of this machine. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}
