import type { Outcome } from './running.ts';
import { Overlay, type WorkingSet } from './working-set.ts';

/** What may be acknowledged and not seen by plain reads yet: what comes then waits for the sync too. */
export interface MostUnseen {
  readonly transactions: number;
  /** Of the journal. */
  readonly bytes: number;
}

export const mostUnseen: MostUnseen = { transactions: 10_000, bytes: 16 * 1024 * 1024 };

/** Outcomes, in order, and what their lines take. */
interface Lines {
  readonly outcomes: Outcome[];
  bytes: number;
}

/**
 * What was written and not applied yet, in order: what the sync under way covers, and what came since. Each lies as a
 * layer over what is applied, so that the next change is decided on top of it.
 */
export class Unseen<Books> {
  readonly #working: WorkingSet<Books>;
  readonly #most: MostUnseen;
  #syncing = none();
  #written = none();
  /** What the sync under way covers over what is applied, and what came since over that. */
  #covered: Overlay<Books> | undefined;
  #staged: Overlay<Books>;

  constructor(working: WorkingSet<Books>, most: MostUnseen) {
    this.#working = working;
    this.#most = most;
    this.#staged = new Overlay(working);
  }

  /** What the next change is decided on top of. */
  get staged(): Overlay<Books> {
    return this.#staged;
  }

  get isEmpty(): boolean {
    return this.#count() === 0;
  }

  /** Whether nothing more may be acknowledged before it is seen. */
  get isFull(): boolean {
    return this.#count() >= this.#most.transactions || this.#syncing.bytes + this.#written.bytes >= this.#most.bytes;
  }

  /** Whether somebody waits for a sync beyond the one under way. */
  get waits(): boolean {
    return this.#written.outcomes.some(({ waits }) => waits);
  }

  /** Adds what was written, in a line of so many bytes. */
  add(outcomes: readonly Outcome[], bytes: number): void {
    this.#written.outcomes.push(...outcomes);
    this.#written.bytes += bytes;
  }

  /** All that was written is covered by the sync that begins. */
  cover(): void {
    this.#syncing = this.#written;
    this.#written = none();
    this.#covered = this.#staged;
    this.#staged = new Overlay(this.#covered);
  }

  /** What the sync that ended covers, to be applied. */
  takeCovered(): readonly Outcome[] {
    const { outcomes } = this.#syncing;
    this.#syncing = none();
    this.#covered = undefined;
    return outcomes;
  }

  /** Says that what was covered is applied: what came since has the same rows below it as before. */
  rebase(): void {
    this.#staged.rebase(this.#working);
  }

  /** All that was written, to be applied, with nothing before it that is still to be synced. */
  takeWritten(): readonly Outcome[] {
    const { outcomes } = this.#written;
    this.#written = none();
    this.#staged = new Overlay(this.#working);
    return outcomes;
  }

  /** All of it, to be refused. */
  takeAll(): readonly Outcome[] {
    return [...this.takeCovered(), ...this.takeWritten()];
  }

  /** Drops what was staged and not written. */
  dropUnwritten(): void {
    this.#staged = new Overlay(this.#covered ?? this.#working);
    for (const { changes } of this.#written.outcomes) {
      for (const { collection, id, record } of changes) this.#staged.over(collection).stage(id, record);
    }
  }

  #count(): number {
    return this.#syncing.outcomes.length + this.#written.outcomes.length;
  }
}

function none(): Lines {
  return { outcomes: [], bytes: 0 };
}
