import type { Mutants } from '../mutant.ts';

/** Mistakes in the information that a sandbox reports to its operator. */
export const operator: Mutants = {
  'ready-while-ending': {
    title: 'A sandbox that is shutting down still reports that it is ready',
    file: 'sandbox/operator/operations.ts',
    find: "if (isEnding) return 'stopping';",
    only: 'a stopping sandbox is not ready|a failed call is answered',
    killedBy: 'OP-217: a stopping sandbox is not ready, completes calls in progress, and is live until then',
  },
  'ready-without-disk': {
    title: 'A sandbox whose disk failed reports that it is ready',
    file: 'sandbox/operator/operations.ts',
    find: 'if (gaveUp > 0)',
    replace: 'if (gaveUp > 1)',
    killedBy: 'OP-217: a sandbox with a failed store is not ready, and says so',
  },
  'path-as-label': {
    title: 'A path that a caller chose becomes a label of a metric',
    file: 'sandbox/operator/metrics.ts',
    find: "const labels = { api: api ?? 'none', operation: operation ?? 'none' };",
    replace: "const labels = { api: api ?? 'none', operation: operation ?? JSON.stringify(arguments[0]) };",
    killedBy: 'OP-218: workspaces are counted, and no metric contains their names or any text of a caller',
  },
  'address-in-the-log': {
    title: 'The access log shows URLs with their secrets',
    file: 'sandbox/operator/call-log.ts',
    find: 'url: loggedAddress(url)',
    replace: 'url: loggedAddress(url) && url',
    killedBy: 'OP-219: a call is one line, with its address masked',
  },
  'log-without-bound': {
    title: 'A log that nobody reads grows as long as the sandbox runs',
    file: 'sandbox/operator/call-log.ts',
    find: 'if (this.#lines.writableLength > mostWaiting) {',
    replace: 'if (this.#lines.writableLength > mostWaiting * 1000) {',
    killedBy: 'OP-219: without a reader the log drops lines beyond 1 MiB, and reports their number at the next reading',
  },
};
