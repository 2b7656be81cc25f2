import type { Checker } from '../conformance/checker.ts';
import type { Connector } from '../http-client/connecting.ts';
import type { Delay } from '../runtime/timer.ts';
import type { StartPlatform } from './platform.ts';
import type { Begun } from './run-plan.ts';
import type { Input, ReadCode, RequirementVerdict } from './verdict.ts';

/** What connections are made of. */
export interface ConnectionParts {
  readonly input: Input;
  readonly checker: Checker;
  /** Real time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly connect: Connector;
  readonly readCode: ReadCode;
  readonly startPlatform: StartPlatform;
}

/** What a run is made of. */
export interface CertifyParts extends ConnectionParts {
  /** The version of this project. */
  readonly version: string;
  /** SHA-256 of the contracts, in hex. */
  readonly contractsDigest: string;
  readonly delay: Delay;
  /** What codes and transactions of this run begin with: never the same twice. */
  readonly unique: string;
  /** Ends the run: what was judged until then is reported, and the balances are restored. */
  readonly signal: AbortSignal;
  /** Told once before the server's ledger is changed: what is judged, and how many calls are sent at most. */
  readonly begun?: (beginning: Begun) => void;
  /** Told of each requirement that was judged. */
  readonly progress?: (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;
}
