import type { CallOrigin } from '../contract/api.ts';

/** A call that is over, as measurements and logs see it: without what it said. */
export interface ObservedCall {
  /** The id of the workspace. */
  readonly workspace: string;
  /** The contract and the operation; null for what is under none. */
  readonly api: string | null;
  readonly operation: string | null;
  readonly method: string;
  /** As it came: it can name secrets. */
  readonly url: string;
  /** What was answered; null where the connection ended before. */
  readonly status: number | null;
  readonly trace: string | null;
  readonly caller: CallOrigin['kind'];
  /** From the place in the queue to the end of the reply; null for a stream, which ends when its reader leaves. */
  readonly seconds: number | null;
}

/** Observes calls. */
export interface CallObserver {
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  /** A call to an application is over. */
  call(seen: ObservedCall): void;
  /** A call was refused before it came to an application. */
  refused(status: number): void;
}

/** How workspaces are when somebody asks. */
export interface WorkspacesMeasured {
  readonly count: number;
  /** Those in memory. */
  readonly loaded: number;
  readonly limit: number;
  readonly gaveUp: number;
  readonly paused: number;
  /** Those whose stored data cannot be loaded. */
  readonly loadFailed: number;
  /** For how long the work has been due that waits longest, in seconds. */
  readonly dueLag: number;
  /** For how many milliseconds they are this process's own without a renewal, and how often they were not; left out where nobody could take them. */
  readonly lease?: { readonly left: number; readonly lost: number } | undefined;
  /** How many milliseconds the machine's clock is ahead of the one that instances share; left out where they share none. */
  readonly clockSkew?: number | undefined;
}
