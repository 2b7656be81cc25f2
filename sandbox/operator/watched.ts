import { hostname } from 'node:os';
import type { Watch } from '../contract/api.ts';
import { isLoopback } from '../runtime/caller.ts';
import type { CallObserver, ObservedCall } from '../runtime/observer.ts';
import type { CommitObserver } from '../store/commit-log.ts';
import { StoreError, StoreFullError } from '../store/store.ts';
import type { Operations } from './operations.ts';

/** Where the operator of a sandbox reads its health and measurements. */
export interface OperationsAddress {
  /** 0 for any free one. */
  readonly port: number;
  /** Left out, this machine's loopback. */
  readonly host?: string;
}

/** What to observe, and for whom. */
interface WatchedOptions {
  readonly operations?: OperationsAddress;
  /** Names that a call may be addressed to, besides `localhost` and IP addresses. */
  readonly allowedHosts?: readonly string[];
  readonly onCall?: (call: ObservedCall) => void;
  /** How many writes to the log have failed so far; measured where it is given. */
  readonly logWriteFailures?: () => number;
}

/** The observers, each undefined if it is not configured. */
export interface Watched {
  readonly calls: CallObserver | undefined;
  readonly commits: CommitObserver | undefined;
  readonly operations: Operations | undefined;
}

/**
 * Begins to listen for the operator of the sandbox, if an address is configured. The modules that measure are loaded only
 * then. Rejects with the system's error if the port is in use.
 *
 * @param now milliseconds of a monotonic clock
 * @param seed of trace ids
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

/** Who receives violations, and whether other instances share the data. */
interface FailureOptions {
  readonly onViolation?: Watch['violation'];
  readonly share?: unknown;
}

/** Reports responses that violate their contract, and turns errors of handlers into failures. */
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
      // The response says what to do; a caller that repeats the call must not flood the log.
      if (error instanceof StoreFullError) return fullFailure(error, warnOfMemory);
      warn(`${operationId} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (!(error instanceof StoreError)) return { kind: 'internal_error' };
      // Any instance that shares the collections can open them again, for the next call.
      return { kind: error.code === 'gave_up' && options.share === undefined ? 'store_gave_up' : 'unavailable' };
    },
  };
}

/** A caller that has filled its own share is told so; one that finds the process full cannot help it (OP-244). */
function fullFailure({ maxBytes, scope }: StoreFullError, warnOfMemory: () => void) {
  if (scope !== 'process')
    return { kind: 'workspace_full', maxBytes, ...(scope === 'tenant' && { ofTenant: true }) } as const;
  warnOfMemory();
  return {
    kind: 'unavailable',
    problem: 'the data of all workspaces takes the whole memory of this sandbox; delete data, or ask its operator',
  } as const;
}
