import type { HeaderList } from '../conformance/exchange.ts';
import type { SeededRandom } from '../runtime/random.ts';
import type { Delay } from '../runtime/timer.ts';
import type { Answer } from './answer.ts';
import type { Operations } from './operations.ts';
import type { Sessions } from './sessions.ts';
import type { Input, Silent } from './verdict.ts';

/** A sandbox of this project that has the partner's server as its client, as journeys drive it. */

/** Its address, and what opens it. Everything else is HTTP. */
export interface Platform {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly adminToken: string;
  close(): Promise<void>;
}

/** Starts one: in memory, on a frozen clock, allowed to call this server. */
export type StartPlatform = (settings: {
  readonly clientUrl: string;
  readonly projectCode: string;
  /** How long it waits for an answer of the server, in milliseconds. */
  readonly timeoutMs: number;
}) => Promise<Platform>;

/** What a run gives to the context of each probe. */
export interface ProbeParts {
  readonly input: Input;
  readonly operations: Operations;
  readonly sessions: Sessions;
  readonly random: SeededRandom;
  /** What no other probe's fresh texts begin with. */
  readonly unique: string;
  readonly projectCode: string;
  /** Codes of redemptions that may be pending, to refund afterwards. */
  readonly open: Set<string>;
  /** Points of order lines of version 2.0 that may be deducted, by their codes, likewise. */
  readonly lines: Map<string, number>;
  readonly counted: (calls: number) => void;
  readonly deliver: (headers: HeaderList, body: string) => Promise<Answer>;
  /** Calls of the run that were not answered in time. */
  readonly silent: () => readonly Silent[];
  readonly platform: () => Promise<Platform>;
  readonly now: () => number;
  readonly hide: (text: string, variable: string) => void;
  readonly delay: Delay;
  readonly signal: AbortSignal;
}
