import { ActivityEntries, type Operations } from './activity-export.ts';

/** Most logs of which it is known what was read: each can hold some megabytes, and the thread has 512 of them. */
export const mostLogs = 100;

/**
 * What was read of each log that is checked: a call between two parties of the sandbox stands there twice. Of a log that
 * was dropped, since others were asked for since, a call that was read as taken may be read once more as made.
 */
export class KnownLogs {
  readonly #operations: Operations;
  /** The one that was asked for longest ago comes first. */
  readonly #logs = new Map<string, ActivityEntries>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  of(log: string): ActivityEntries {
    const known = this.#logs.get(log) ?? new ActivityEntries(this.#operations);
    this.#logs.delete(log);
    this.#logs.set(log, known);
    const [oldest = ''] = this.#logs.keys();
    if (this.#logs.size > mostLogs) this.#logs.delete(oldest);
    return known;
  }

  forget(log: string): void {
    this.#logs.delete(log);
  }
}
