import type { CallOrigin } from '../contract/api.ts';

/** A finished call as metrics and logs see it, without its content. */
export interface ObservedCall {
  /** The id of the workspace. */
  readonly workspace: string;
  /** The contract of the call; null if no contract applies. */
  readonly api: string | null;
  readonly operation: string | null;
  readonly method: string;
  /** The URL as received. It can contain secrets. */
  readonly url: string;
  /** The status of the reply; null if the connection ended before a reply. */
  readonly status: number | null;
  readonly trace: string | null;
  readonly caller: CallOrigin['kind'];
  /** Seconds from queueing to the end of the reply; null for a stream, which ends when its reader disconnects. */
  readonly seconds: number | null;
}

/** A receiver of call events, for metrics and logs. */
export interface CallObserver {
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Reports that a call to an application ended. */
  call(seen: ObservedCall): void;
  /** Reports that a call was refused before it reached an application. */
  refused(status: number): void;
}

/** Current figures about the workspaces of this instance. */
export interface WorkspacesMeasured {
  readonly count: number;
  /** The number of workspaces in memory. */
  readonly loaded: number;
  readonly limit: number;
  readonly gaveUp: number;
  readonly paused: number;
  /** The number of workspaces whose stored data cannot be loaded. */
  readonly loadFailed: number;
  /** Seconds by which the oldest due work is late. */
  readonly dueLag: number;
  /** The remaining milliseconds of the lease without a renewal, and the number of times it was lost. Absent without sharing. */
  readonly lease?: { readonly left: number; readonly lost: number } | undefined;
  /** Milliseconds by which the machine's clock is ahead of the clock that instances share. Absent without a shared clock. */
  readonly clockSkew?: number | undefined;
  /** The addresses of live instances that this one cannot reach. Absent without sharing. */
  readonly unreachable?: readonly string[] | undefined;
}
