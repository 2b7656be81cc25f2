/** Assembles a certification: the validator, the connections, and the source of codes. Loaded when a certification runs. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { Agent, buildConnector } from 'undici';
import { certify } from '../certification/certify.ts';
import { problemOf } from '../certification/input.ts';
import type { Turns } from '../certification/partner.ts';
import { EnvironmentError } from '../certification/preflight.ts';
import type { RunCertification } from '../certification/queue.ts';
import { codeReader } from '../certification/reading-codes.ts';
import type { CertifyParts } from '../certification/run-plan.ts';
import type { Input, Report } from '../certification/verdict.ts';
import { noAnswers } from '../conformance/answers.ts';
import { Checker } from '../conformance/checker.ts';
import { ownContracts, projectRoot } from '../conformance/contracts.ts';
import { bundleFiles } from '../contract/document.ts';
import { type Connector, guardedConnector, type OwnPlaces, type Resolve, toItself } from '../http-client/connecting.ts';
import { OptionError } from '../options.ts';
import { refusalOf } from '../runtime/caller.ts';
import { delayBy, holdingTimer } from '../runtime/clock.ts';
import { version } from '../version.ts';

/** Resources that the runs of all workspaces of a sandbox share. */
export interface RunsIn {
  readonly certify: (
    options: CertifyOptions,
    network: { readonly connect: Connector; readonly resolve: Resolve; readonly turns: Turns },
  ) => Promise<Report>;
  /** Address ranges that the operator allows, in addition to public addresses (OP-60). */
  readonly allowedAddresses: readonly string[];
  /** The sandbox's own addresses (OP-78). */
  readonly own: OwnPlaces;
  readonly resolve: Resolve;
  /** The origin of the sandbox, for its outbox, its log and its reference client. */
  readonly origin: () => string;
  readonly connectItself: () => Duplex;
  /**
   * Resolves when a certification may use the processor, which the calls of all workspaces share. Call the result to end
   * the turn.
   */
  readonly takeTurn: () => Promise<() => void>;
}

/** Maximum milliseconds to open a connection. */
const timeout = 5000;

/**
 * Creates the function that runs the certifications of workspaces. A run can reach the sandbox itself and the addresses
 * that the sandbox may call.
 */
export function certificationRun(around: RunsIn): RunCertification {
  const { certify, allowedAddresses: allowed, own, resolve, connectItself } = around;
  const outward = guardedConnector({ allowed, resolve, timeout, own });
  return async ({ input, ending, cutting, called, judged }) => {
    const origin = around.origin();
    const inward = toItself(() => origin, connectItself);
    const connect: Connector = (target, done) => {
      called();
      const { protocol, host, hostname } = target;
      return `${protocol}//${host ?? hostname}` === origin ? inward(target, done) : outward(target, done);
    };
    // The platform of the journeys may call every resolved address of the server. A name with a refused address must
    // therefore resolve to no address.
    const checked: Resolve = async (name) => {
      const { protocol } = new URL(input.client_url);
      const found = await resolve(name);
      const isRefused = found.some(({ address }) => refusalOf(address, protocol, allowed) !== undefined);
      return isRefused ? [] : found;
    };
    const turns = turnsAt(around.takeTurn);
    try {
      const options = { ...input, onProgress: judged, signal: ending };
      return { report: await certify(options, { connect: breaking(connect, cutting), resolve: checked, turns }) };
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      return { problem: error.message };
    } finally {
      turns.end();
    }
  };
}

/** Creates the turns of a run. A run has at most one turn, even if several replies arrive together. */
function turnsAt(take: RunsIn['takeTurn']): Turns {
  let turn: Promise<() => void> | undefined;
  return {
    async begin() {
      turn ??= take();
      await turn;
    },
    end() {
      void turn?.then((end) => end());
      turn = undefined;
    },
  };
}

/** Wraps a connector so that its connections break when a run is aborted. Afterwards no new connections are opened. */
function breaking(connect: Connector, cutting: AbortSignal): Connector {
  return (target, done) => {
    if (cutting.aborted) return done(new Error('The run was interrupted.'), null);
    connect(target, (...made) => {
      const [, socket] = made;
      // undici passes no socket with an error.
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

/** The input of a certification: the contract's input, and options that only a caller in the same process can set. */
export type CertifyOptions = Input & {
  /** Called once before the server's ledger changes. */
  readonly onBegin?: CertifyParts['begun'];
  /** Called with each requirement that receives a verdict. */
  readonly onProgress?: CertifyParts['progress'];
  /** Ends the run early. The report then contains the requirements tested so far, and the run restores the server's balances. */
  readonly signal?: AbortSignal;
};

/** Dependencies from the composition root. */
export interface Machine extends Pick<CertifyParts, 'now' | 'unique' | 'startPlatform'> {
  /** Opens connections. Without it, the run connects to any address. */
  readonly connect?: CertifyParts['connect'] | undefined;
  readonly turns?: CertifyParts['turns'];
}

/** Certifies a server. Rejects like the package's `certify`. */
export async function runCertification(
  { onBegin, onProgress, signal, ...input }: CertifyOptions,
  machine: Machine,
): Promise<Report> {
  const found = problemOf(input);
  if (found !== undefined) throw new OptionError(`Invalid certification input: ${found.where} ${found.problem}`);
  const connect = machine.connect ?? buildConnector({ timeout });
  const dispatcher = new Agent({ connect });
  const ending = signal ?? new AbortController().signal;
  try {
    return await certify({
      ...machine,
      input,
      version,
      contractsDigest: contractsDigest(),
      checker: new Checker(ownContracts(), { answers: input.answers ?? noAnswers }),
      delay: delayBy(holdingTimer),
      connect,
      readCode: await codeReader(input, { dispatcher, timer: holdingTimer, signal: ending }),
      signal: ending,
      ...(onBegin && { begun: onBegin }),
      ...(onProgress && { progress: onProgress }),
    });
  } finally {
    await dispatcher.destroy();
  }
}

/** Returns the SHA-256 of the contracts of a client server, in hex. */
function contractsDigest(): string {
  const hash = createHash('sha256');
  for (const api of ['client', 'auth', 'v2-client'])
    hash.update(readFileSync(new URL(`generated/${api}/${bundleFiles.interface}`, projectRoot)));
  return hash.digest('hex');
}
