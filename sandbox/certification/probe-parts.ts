import type { HeaderList } from '../conformance/exchange.ts';
import type { SeededRandom } from '../runtime/random.ts';
import type { Delay } from '../runtime/timer.ts';
import type { Answer } from './answer.ts';
import type { Operations } from './operations.ts';
import type { Platform } from './platform.ts';
import type { Sessions } from './sessions.ts';
import type { Input, Silent } from './verdict.ts';

/** What a run gives to the context of each probe. */
export interface ProbeParts {
  readonly input: Input;
  readonly operations: Operations;
  readonly sessions: Sessions;
  readonly random: SeededRandom;
  /** What no other probe's fresh texts begin with. */
  readonly unique: string;
  readonly projectCode: string;
  /** Codes of redemptions that may be pending, to be given back afterwards. */
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
