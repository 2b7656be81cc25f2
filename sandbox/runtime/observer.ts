import type { CallOrigin } from '../contract/api.ts';

/** A finished call, as measurements and logs see it: without its content. */
export interface ObservedCall {
  /** The id of the workspace. */
  readonly workspace: string;
  /** The contract and the operation; null for what is under none. */
  readonly api: string | null;
  readonly operation: string | null;
  readonly method: string;
  /** As it came: it can name secrets. */
  readonly url: string;
  /** What was answered; null if the connection ended before. */
  readonly status: number | null;
  readonly trace: string | null;
  readonly caller: CallOrigin['kind'];
  /** From the place in the queue to the end of the reply; null for a stream, which ends when its reader leaves. */
  readonly seconds: number | null;
}

/** Observes calls. */
export interface CallObserver {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** A call to an application ended. */
  call(seen: ObservedCall): void;
  /** A call was refused before it reached an application. */
  refused(status: number): void;
}

/** The current state of workspaces. */
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
  /** Milliseconds of lease left without a renewal, and how often it was lost; absent without sharing. */
  readonly lease?: { readonly left: number; readonly lost: number } | undefined;
  /** How many milliseconds the machine's clock is ahead of the one that instances share; left out where they share none. */
  readonly clockSkew?: number | undefined;
  /** The addresses of live instances that this one cannot reach; absent without sharing. */
  readonly unreachable?: readonly string[] | undefined;
}
