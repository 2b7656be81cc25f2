import type { Watch } from '../contract/api.ts';
import { StoreError, StoreFullError } from '../store/store.ts';

/** Who receives violations, and whether other instances share the data. */
interface WatchOptions {
  readonly onViolation?: Watch['violation'];
  readonly share?: unknown;
}

/** Reports responses that violate their contract, and turns errors of handlers into failures. */
export function watchFor(options: WatchOptions, warn: (message: string) => void): Watch {
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
