import type { Life } from '../assembly/life.ts';
import type { StreamPlace } from '../runtime/random.ts';
import type { SecretDigests } from './credentials.ts';

/** What has to be known of a workspace while it is not in memory (OP-211). */
export interface Known {
  readonly id: string;
  readonly life: Life;
  /** When its next work falls due, in milliseconds of real time; null where none does before somebody calls. */
  readonly dueAt: number | null;
}

/** The same, and by what calls are found to be its own. No secret can be worked out from it. */
export interface Resting extends Known {
  readonly digests: SecretDigests;
}

/** Where the streams of a process stand that are drawn from without writing it down. */
export interface Streams {
  readonly spans: StreamPlace;
  readonly traces: StreamPlace;
}

/** The same, and where the workspace goes on when it comes back in the same process. */
export type Memory = Resting & { readonly streams?: Streams };
