import { EnvironmentError } from '../certification/environment.ts';
import type { RunCertification } from '../certification/queue.ts';
import type { Report } from '../certification/verdict.ts';
import { type Connector, guardedConnector, RefusedAddress, type Resolve, toItself } from '../http-client/connecting.ts';
import type { OwnPlaces } from '../http-client/self.ts';
import { refusalOf } from '../runtime/address.ts';
import type { CertifyOptions } from './certifying.ts';

/** What runs of a sandbox's workspaces share. */
export interface RunsIn {
  readonly certify: (
    options: CertifyOptions,
    network: { readonly connect: Connector; readonly resolve: Resolve },
  ) => Promise<Report>;
  /** Ranges that the operator allows besides public addresses (OP-60). */
  readonly allowedAddresses: readonly string[];
  /** Where the sandbox is (OP-78). */
  readonly own: OwnPlaces;
  readonly resolve: Resolve;
  /** The sandbox itself, for its outbox and log, and for its reference client. */
  readonly origin: () => string;
  readonly certificate: string | undefined;
}

/** Longest that a connection takes to be made, in milliseconds. */
const timeout = 5000;

/** Runs the certifications that workspaces request. A run reaches the addresses that the sandbox may call, and the sandbox itself. */
export function certificationRun(around: RunsIn): RunCertification {
  const { certify, allowedAddresses: allowed, own, resolve, certificate } = around;
  const outward = guardedConnector({ allowed, resolve, timeout, own });
  return async ({ input, ending, cutting, called, judged }) => {
    const origin = around.origin();
    const inward = toItself(() => origin, timeout, certificate);
    const connect: Connector = (target, done) => {
      called();
      const { protocol, host, hostname } = target;
      return `${protocol}//${host ?? hostname}` === origin ? inward(target, done) : outward(target, done);
    };
    // For the journeys: their platform may call the addresses of the server, so none of these may be inward.
    const checked: Resolve = async (name) => {
      const { protocol } = new URL(input.client_url);
      const found = await resolve(name);
      const refusal = found
        .map(({ address }) => refusalOf(address, protocol, allowed))
        .find((text) => text !== undefined);
      if (refusal !== undefined) throw new RefusedAddress(`${name}: ${refusal}`);
      return found;
    };
    try {
      const options = { ...input, onProgress: judged, signal: ending };
      return { report: await certify(options, { connect: breaking(connect, cutting), resolve: checked }) };
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      return { problem: error.message };
    }
  };
}

/** The same connections, which break when a run is cut off; no other is made from then on. */
function breaking(connect: Connector, cutting: AbortSignal): Connector {
  return (target, done) => {
    if (cutting.aborted) return done(new Error('The run was interrupted.'), null);
    connect(target, (...made) => {
      const [, socket] = made;
      // undici gives none with an error.
      if (socket) {
        const destroy = () => socket.destroy();
        if (cutting.aborted) destroy();
        cutting.addEventListener('abort', destroy);
        socket.once('close', () => cutting.removeEventListener('abort', destroy));
      }
      done(...made);
    });
  };
}
