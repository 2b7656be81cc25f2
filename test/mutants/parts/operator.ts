import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes in what whoever runs a sandbox is told. */
export const operator: readonly Mutant[] = [
  {
    id: 'ready-while-ending',
    title: 'A sandbox that was told to end still says that it is ready',
    file: 'sandbox/operator/operations.ts',
    find: "if (isEnding) return 'it ends';",
    replace: '',
    tests: ['test/operator/operations.test.ts'],
    only: 'from the moment it is told|what cannot be answered',
    killedBy: 'OP-217: from the moment it is told to end it is not ready, while a call under way ends, and still lives',
  },
  {
    id: 'ready-without-disk',
    title: 'A sandbox whose disk failed says that it is ready',
    file: 'sandbox/operator/operations.ts',
    find: 'if (gaveUp > 0)',
    replace: 'if (gaveUp > 1)',
    tests: ['test/operator/operations.test.ts'],
    killedBy: 'OP-217: where a store gave up it is not ready, and says so',
  },
  {
    id: 'path-as-label',
    title: 'The address that a caller chose is a label of a measurement',
    file: 'sandbox/operator/metrics.ts',
    find: "const labels = { api: api ?? 'none', operation: operation ?? 'none' };",
    replace: "const labels = { api: api ?? 'none', operation: operation ?? JSON.stringify(arguments[0]) };",
    tests: ['test/operator/operations.test.ts'],
    killedBy: 'OP-218: workspaces are counted, and no measurement names one, or anything that a caller chose',
  },
  {
    id: 'address-in-the-log',
    title: 'The log of calls shows addresses with their secrets',
    file: 'sandbox/operator/call-log.ts',
    find: 'url: maskUrl(url)',
    replace: 'url: maskUrl(url) && url',
    tests: ['test/operator/call-log.test.ts'],
    killedBy: 'OP-219: a call is one line, with its address masked',
  },
  {
    id: 'log-without-bound',
    title: 'A log that nobody reads grows for as long as the sandbox runs',
    file: 'sandbox/operator/call-log.ts',
    find: 'if (this.#lines.writableLength > mostWaiting) {',
    replace: 'if (this.#lines.writableLength > mostWaiting * 1000) {',
    tests: ['test/operator/call-log.test.ts'],
    killedBy: 'OP-219: where nobody reads, lines are left out beyond 1 MiB, and how many is said once somebody does',
  },
];
