/** A certification put together: the judge, connections, where codes come from. Loaded when one is run. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, buildConnector } from 'undici';
import { certify } from '../certification/certify.ts';
import type { CertifyParts } from '../certification/certify-parts.ts';
import { problemOf } from '../certification/input.ts';
import { codeReader } from '../certification/reading-codes.ts';
import type { Input, Report } from '../certification/verdict.ts';
import { Checker } from '../conformance/checker.ts';
import { ownContracts, projectRoot } from '../conformance/contracts.ts';
import { bundleFiles } from '../contract/document.ts';
import { OptionError } from '../options.ts';
import { delayBy, holdingTimer } from '../runtime/timer.ts';
import { version } from '../version.ts';

/** What a server is certified with: the input of the contract, and what only a caller in the same process can give. */
export type CertifyOptions = Input & {
  /** Told once before the server's ledger is changed. */
  readonly onBegin?: CertifyParts['begun'];
  /** Told of each requirement that was judged. */
  readonly onProgress?: CertifyParts['progress'];
  /** Ends the run in order: what was judged is reported, and the server's balances are put right. */
  readonly signal?: AbortSignal;
};

/** What comes from the composition root. */
export interface Machine extends Pick<CertifyParts, 'now' | 'unique' | 'startPlatform'> {
  /** How connections are made; left out, to any address. */
  readonly connect?: CertifyParts['connect'] | undefined;
}

/** Longest that a connection takes to be made, in milliseconds. */
const connectMilliseconds = 5000;

/** Certifies a server. Rejects as `certify` of the package says. */
export async function runCertification(
  { onBegin, onProgress, signal, ...input }: CertifyOptions,
  machine: Machine,
): Promise<Report> {
  refuse(problemOf(input));
  const connect = machine.connect ?? buildConnector({ timeout: connectMilliseconds });
  const dispatcher = new Agent({ connect });
  const ending = signal ?? new AbortController().signal;
  try {
    return await certify({
      ...machine,
      input,
      version,
      contractsDigest: contractsDigest(),
      checker: new Checker(ownContracts()),
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

function refuse(found: ReturnType<typeof problemOf>): void {
  if (found !== undefined) throw new OptionError(`Invalid certification input: ${found.where} ${found.problem}`);
}

/** SHA-256 of the contracts of a client server, in hex. */
function contractsDigest(): string {
  const hash = createHash('sha256');
  for (const api of ['client', 'auth', 'v2-client'])
    hash.update(readFileSync(new URL(`generated/${api}/${bundleFiles.interface}`, projectRoot)));
  return hash.digest('hex');
}
