import type { Mutants } from '../mutant.ts';

/** Mistakes in what whoever runs a sandbox is told. */
export const operator: Mutants = {
  'ready-while-ending': {
    title: 'A sandbox that was told to end still says that it is ready',
    target: 'sandbox/operator/operations.ts:startOperations',
    find: "if (isEnding) return 'stopping';",
    only: 'from the moment it is told|what cannot be answered',
    killedBy: 'OP-217: from the moment it is told to end it is not ready, while a call under way ends, and still',
  },
  'ready-without-disk': {
    title: 'A sandbox whose disk failed says that it is ready',
    target: 'sandbox/operator/operations.ts:startOperations',
    find: 'if (gaveUp > 0)',
    replace: 'if (gaveUp > 1)',
    killedBy: 'OP-217: where a store gave up it is not ready, and says so',
  },
  'path-as-label': {
    title: 'The address that a caller chose is a label of a measurement',
    target: 'sandbox/operator/metrics.ts:Metrics.call',
    find: "const labels = { api: api ?? 'none', operation: operation ?? 'none' };",
    replace: "const labels = { api: api ?? 'none', operation: operation ?? JSON.stringify(arguments[0]) };",
    killedBy: 'OP-218: workspaces are counted, and no measurement names one, or anything that a caller chose',
  },
  'address-in-the-log': {
    title: 'The log of calls shows addresses with their secrets',
    target: 'sandbox/operator/call-log.ts:CallLog.call',
    find: 'url: loggedAddress(url)',
    replace: 'url: loggedAddress(url) && url',
    killedBy: 'OP-219: a call is one line, with its address masked',
  },
  'log-without-bound': {
    title: 'A log that nobody reads grows for as long as the sandbox runs',
    target: 'sandbox/operator/call-log.ts:CallLog.#hasRoom',
    find: 'if (this.#lines.writableLength > mostWaiting) {',
    replace: 'if (this.#lines.writableLength > mostWaiting * 1000) {',
    killedBy: 'OP-219: where nobody reads, lines are left out beyond 1 MiB, and how many is said once somebody does',
  },
};
