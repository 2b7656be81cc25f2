import { hostname } from 'node:os';
import type { Watch } from '../contract/api.ts';
import { isLoopback } from '../runtime/caller.ts';
import type { CallObserver, ObservedCall } from '../runtime/observer.ts';
import type { CommitObserver } from '../store/commit-log.ts';
import { StoreError, StoreFullError } from '../store/store.ts';
import type { Operations } from './operations.ts';

/** The address at which the operator reads the health and the measurements of a sandbox. */
export interface OperationsAddress {
  /** The port, or 0 for any free one. */
  readonly port: number;
  /** Defaults to the loopback address of this machine. */
  readonly host?: string;
}

/** Options for observing a sandbox. */
interface WatchedOptions {
  readonly operations?: OperationsAddress;
  /** Accepted host names, besides `localhost` and IP addresses. */
  readonly allowedHosts?: readonly string[];
  readonly onCall?: (call: ObservedCall) => void;
  /** Returns the number of failed writes to the log so far. The default always reports 0. */
  readonly logWriteFailures?: () => number;
}

/** The observers. Each is `undefined` if it is not configured. */
export interface Watched {
  readonly calls: CallObserver | undefined;
  readonly commits: CommitObserver | undefined;
  readonly operations: Operations | undefined;
}

/**
 * Starts the listener for the operator if an address is configured. The measuring modules are loaded only then. Rejects with the
 * system error if the port is in use.
 *
 * @param now returns milliseconds of a monotonic clock
 * @param seed returns the seed of the trace ids
 * @param warn receives the warnings for the operator
 */
export async function beginWatching(
  { operations: address, allowedHosts = [], onCall, logWriteFailures = () => 0 }: WatchedOptions,
  now: () => number,
  seed: () => string,
  warn: (message: string) => void,
): Promise<Watched> {
  if (address === undefined) {
    const calls = onCall && { now, call: onCall, refused: () => {} };
    return { calls, commits: undefined, operations: undefined };
  }
  const [{ Metrics }, { startOperations }] = await Promise.all([import('./metrics.ts'), import('./operations.ts')]);
  const metrics = new Metrics(now, logWriteFailures);
  const at = { host: '127.0.0.1', ...address };
  const hosts = [...allowedHosts, ...(isLoopback(at.host) ? [] : [at.host, hostname()])].map((name) =>
    name.toLowerCase(),
  );
  const operations = await startOperations(at, metrics, { seed: seed(), hosts, warn });
  const calls: CallObserver = {
    now,
    call(seen) {
      metrics.call(seen);
      onCall?.(seen);
    },
    refused: (status) => metrics.refused(status),
  };
  return { calls, commits: metrics, operations };
}

/** The receiver of violations, and the data shared with other instances, if any. */
interface FailureOptions {
  readonly onViolation?: Watch['violation'];
  readonly share?: unknown;
}

/** Returns a watch that reports responses which violate their contract, and converts handler errors to failures. */
export function watchFor(options: FailureOptions, warn: (message: string) => void): Watch {
  let isMemoryFull = false;
  const warnOfMemory = () => {
    if (!isMemoryFull)
      warn('The data of the workspaces takes all memory for data: delete some, or start with a larger heap');
    isMemoryFull = true;
  };
  return {
    violation: options.onViolation ?? ((found) => warn(`A response violates its contract: ${JSON.stringify(found)}`)),
    error(error, operationId) {
      // The response explains the problem. A caller that repeats the call must not flood the log.
      if (error instanceof StoreFullError) return fullFailure(error, warnOfMemory);
      warn(`${operationId} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (!(error instanceof StoreError)) return { kind: 'internal_error' };
      // Any instance that shares the collections can reopen them for the next call.
      return { kind: error.code === 'gave_up' && options.share === undefined ? 'store_gave_up' : 'unavailable' };
    },
  };
}

/**
 * Returns the failure for a full store. A caller that has used up its own share receives a specific failure. If the process is
 * full, the caller cannot remedy it, so the operator is warned (OP-244).
 */
function fullFailure({ maxBytes, scope }: StoreFullError, warnOfMemory: () => void) {
  if (scope !== 'process')
    return { kind: 'workspace_full', maxBytes, ...(scope === 'tenant' && { ofTenant: true }) } as const;
  warnOfMemory();
  return {
    kind: 'unavailable',
    problem: 'the data of all workspaces takes the whole memory of this sandbox; delete data, or ask its operator',
  } as const;
}
