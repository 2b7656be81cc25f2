import type { Life } from '../assembly/life.ts';
import type { SecretDigests } from './credentials.ts';

/** What has to be known of a workspace while it is not in memory (OP-211). */
export interface Known {
  readonly id: string;
  readonly life: Life;
  /** When its next work falls due, in milliseconds of real time; null where none does before somebody calls. */
  readonly dueAt: number | null;
}

/** The same, with digests of its credentials, from which no credential can be derived. */
export interface Resting extends Known {
  readonly digests: SecretDigests;
}
