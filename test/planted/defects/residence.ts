import type { Defect } from '../defect.ts';

/** Mistakes in which workspaces are in memory. */
export const residence: readonly Defect[] = [
  {
    id: 'leaves-while-needed',
    title: 'A workspace leaves memory to make room although a reader of its log is connected',
    file: 'sandbox/workspaces/workspace.ts',
    find: 'return this.#open === 0 && !this.#certifications.isRunning',
    replace: 'return !this.#certifications.isRunning',
    tests: ['test/workspaces/resting.test.ts'],
    seenBy: 'a call for another one waits, is refused with 503 and Retry-After after five seconds',
  },
  {
    id: 'old-note-believed',
    title: 'A start believes what was written down of books that changed since',
    file: 'sandbox/workspaces/resting.ts',
    find: 'return of === (await storage.version(place)) ? resting : undefined;',
    replace: 'return of === (await storage.version(place)) ? resting : resting;',
    tests: ['test/workspaces/resting.test.ts'],
    seenBy: 'believes nothing that was written down of books that changed since',
  },
  {
    id: 'due-forgotten',
    title: 'Work that falls due while its workspace is not in memory waits for the next call',
    file: 'sandbox/workspaces/registry.ts',
    find: 'if (resting.dueAt !== null) this.#wakes.set(id, resting.dueAt);',
    replace: '',
    tests: ['test/workspaces/resting.test.ts'],
    seenBy: 'is brought back when work of it falls due by its own clock, and does it',
  },
  {
    id: 'streams-begin-anew',
    title: 'A workspace that comes back draws anew what it drew before',
    file: 'sandbox/workspaces/workspace.ts',
    find: 'this.parties.traces.resume(traces);',
    replace: '',
    tests: ['test/workspaces/resting.test.ts'],
    seenBy: 'OP-211: a journey says the same whether its workspace leaves memory between every two calls or stays',
  },
  {
    id: 'room-without-bound',
    title: 'More workspaces are in memory than can be',
    file: 'sandbox/workspaces/room.ts',
    find: 'if (this.#waiting === 0 && this.#taken < this.#options.most) {',
    replace: 'if (this.#waiting === 0) {',
    tests: ['test/workspaces/room.test.ts'],
    seenBy: 'takes a third once one that is idle has left',
  },
];
