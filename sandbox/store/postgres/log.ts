import type { CommitLog, Prepared } from '../commit-log.ts';
import { type Batch, batchEntries, textsOf } from '../encoding.ts';
import type { Seal } from '../seal.ts';
import { StoreError } from '../store.ts';
import type { Slices } from '../view.ts';
import type { WorkingSet, WrittenChange } from '../working-set.ts';
import { type Claim, reclaim, releaseClaim } from './claims.ts';
import type { Database } from './database.ts';
import type { Instance } from './instance.ts';
import { batchPlace, checkpointTo, insertBatch, partPlace, replaceBy } from './log-statements.ts';

/** A checkpoint is due when the log has grown by so many bytes, and by more than the documents have. */
const checkpointAfterBytes = 4 * 1024 * 1024;

/** Most batches that can be written while other content is prepared: its number is beyond theirs. */
const mostMeanwhile = 1_000_000;

/** What a log is opened with. */
export interface LogParts<Collections> {
  readonly database: Database;
  readonly instance: Instance;
  readonly place: string;
  readonly claim: Claim;
  readonly seal: Seal;
  readonly working: WorkingSet<Collections>;
  /** The size of the documents as they were read. */
  readonly documentBytes: number;
  /** The size of the log as it was read. */
  readonly logBytes: number;
  readonly warn: (message: string) => void;
}

interface Written {
  readonly number: number;
  readonly body: Buffer;
  /** When it was written, on the instance's clock. */
  readonly at: number;
}

/**
 * The commit log of one workspace in PostgreSQL. A batch is one row, inserted by one statement that comes through only
 * where the fence still holds and no number is missing before it. Where it is unknown whether batches came through, a new
 * fence is set, which settles it, and those that did not are handed over again. A batch that cannot be settled in time is
 * refused, and with it all that comes after: whoever opens the collections next reads whether it came through.
 */
export class PostgresLog<Collections> implements CommitLog<Collections> {
  readonly #parts: LogParts<Collections>;
  #working: WorkingSet<Collections>;
  #fence: bigint;
  /** The last batch that was sent, and the last that was confirmed. */
  #head: number;
  #confirmed: number;
  /** Batches that were sent and not confirmed. */
  #pending: Written[] = [];
  #lost: StoreError | undefined;
  #recovering: Promise<void> | undefined;
  /** Whether the lease ended under which the store was claimed: another instance may own it. */
  #isDoubtful = false;
  #waiting: (() => void)[] = [];
  #logBytes: number;
  #documentBytes: number;
  #checkpoint: Promise<void> | undefined;
  /** Why the last checkpoint failed. */
  #failure: string | undefined;
  #isReplacing = false;
  #isClosed = false;
  readonly #forget: () => void;

  constructor(parts: LogParts<Collections>) {
    const { claim, working, instance, logBytes, documentBytes } = parts;
    this.#parts = parts;
    this.#working = working;
    this.#fence = claim.fence;
    this.#head = claim.head;
    this.#confirmed = claim.head;
    this.#logBytes = logBytes;
    this.#documentBytes = documentBytes;
    this.#forget = instance.onRenamed(() => {
      this.#isDoubtful = true;
      this.#recover();
    });
  }

  async commit(transactions: Batch): Promise<number> {
    const number = this.#head + 1;
    const body = this.#parts.seal.closeBytes(
      Buffer.from(JSON.stringify(batchEntries(transactions))),
      batchPlace(this.#parts.place, number),
    );
    this.#head = number;
    this.#logBytes += body.length;
    const written = { number, body, at: this.#parts.instance.now() };
    this.#pending.push(written);
    if (this.#recovering === undefined) this.#hand(written);
    await this.#confirmation(number);
    return body.length;
  }

  /** Resolves when a batch is confirmed. */
  async #confirmation(until: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (this.#lost !== undefined || this.#confirmed >= until) resolve();
      else this.#waiting.push(look);
    };
    look();
    await promise;
    if (this.#lost !== undefined && this.#confirmed < until) throw this.#lost;
  }

  get lost(): StoreError | undefined {
    return this.#lost;
  }

  get paused(): boolean {
    return this.#isDoubtful || !this.#parts.instance.holds;
  }

  applied(): void {
    const isLong = this.#logBytes > Math.max(checkpointAfterBytes, this.#documentBytes);
    if (!isLong || this.#checkpoint !== undefined || this.#isReplacing) return;
    this.#checkpoint = this.#writeCheckpoint().finally(() => {
      this.#checkpoint = undefined;
    });
  }

  get checkpointFailure(): string | undefined {
    return this.#failure;
  }

  async prepare(working: WorkingSet<Collections>, slices: Slices): Promise<Prepared> {
    await this.#checkpoint;
    this.#isReplacing = true;
    const number = this.#head + mostMeanwhile;
    try {
      const bytes = await this.#writeParts(number, slices);
      return {
        commit: (changes) => this.#replace(working, number, bytes, changes),
        discard: async () => {
          this.#isReplacing = false;
          // Whoever opens the collections next drops them with its first checkpoint.
          if (this.#lost === undefined) await this.#removeParts(number);
        },
      };
    } catch (error) {
      this.#isReplacing = false;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#forget();
    await this.#checkpoint;
    await this.#recovering;
    // Collections that nobody can give back are free once the lease of this instance ends.
    if (this.#lost === undefined) await releaseClaim(this.#parts.database, this.#parts.place, this.#fence);
  }

  #hand({ number, body }: Written): void {
    const { database, place } = this.#parts;
    const fence = this.#fence;
    // What is said of a fence of before is settled by the one that followed it.
    const recover = () => {
      if (this.#fence === fence) this.#recover();
    };
    database
      .commit(insertBatch, [place, fence, number, body])
      .then((rows) => (rows === 1 ? this.#confirm(number) : recover()), recover);
  }

  #confirm(number: number): void {
    this.#confirmed = Math.max(this.#confirmed, number);
    while ((this.#pending[0]?.number ?? Number.POSITIVE_INFINITY) <= this.#confirmed) this.#pending.shift();
    this.#announceHead();
  }

  #announceHead(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  /**
   * Finds out what came through, and hands over the rest again.
   *
   * @param since when the first was handed over of which it is unknown
   */
  #recover(since = this.#pending[0]?.at ?? this.#parts.instance.now()): void {
    if (this.#recovering !== undefined || this.#lost !== undefined) return;
    this.#recovering = this.#recovered(since).finally(() => {
      this.#recovering = undefined;
      // What was written in the meantime.
      if (this.#lost === undefined) for (const written of this.#pending) this.#hand(written);
      this.#announceHead();
    });
  }

  async #recovered(since: number): Promise<void> {
    const { database, instance, place, warn } = this.#parts;
    const { commit, outage } = database.deadlines;
    // A process that was stopped meanwhile has a try all the same.
    const until = Math.max(since + outage, instance.now() + commit);
    const left = () => until - instance.now();
    let isUnanswered = false;
    for (let tries = 1; ; tries += 1) {
      try {
        await database.within(left(), database.connected());
        const reclaiming = reclaim(database, instance, place, this.#fence, isUnanswered);
        isUnanswered = true;
        const now = await database.within(left(), reclaiming);
        isUnanswered = false;
        if (now === undefined) return this.#giveUp('another instance has taken over the workspace');
        this.#fence = now.fence;
        this.#isDoubtful = false;
        this.#confirm(now.head);
        return await database.within(left(), this.#handAll());
      } catch (error) {
        const why = (error as Error).message;
        if (this.#isClosed || left() <= 0) {
          return this.#giveUp(`PostgreSQL was unreachable for too long (${why})`);
        }
        if (tries === 1) warn(`PostgreSQL: ${why}; retrying the write`);
        await database.rest();
      }
    }
  }

  /** Hands over what is pending, what comes meanwhile too. Rejects where one does not come through. */
  async #handAll(): Promise<void> {
    const { database, place } = this.#parts;
    for (let [next] = this.#pending; next !== undefined && this.#lost === undefined; [next] = this.#pending) {
      const rows = await database.commit(insertBatch, [place, this.#fence, next.number, next.body]);
      if (rows !== 1) throw new Error('a batch was not written');
      this.#confirm(next.number);
    }
  }

  #giveUp(why: string): void {
    this.#lost = new StoreError('gave_up', `The store no longer accepts writes: ${why}`);
  }

  /** Called with everything committed applied: it reads the view before it awaits anything. */
  async #writeCheckpoint(): Promise<void> {
    const number = this.#confirmed;
    const bytesBefore = this.#logBytes;
    try {
      const bytes = await this.#writeParts(number, this.#working.view());
      const { database, place } = this.#parts;
      const done = await database.rows(checkpointTo, [place, this.#fence, number]);
      if (done.length === 0) throw new Error('another instance has taken over the workspace');
      this.#documentBytes = bytes;
      this.#logBytes -= bytesBefore;
      this.#failure = undefined;
    } catch (error) {
      // The log goes on, and the next try comes when it has grown as much again.
      this.#documentBytes = this.#logBytes + checkpointAfterBytes;
      this.#failure = String(error);
      const name = this.#parts.place || 'the demo workspace';
      this.#parts.warn(`Cannot write a checkpoint of ${name}; the log grows until one succeeds: ${this.#failure}`);
    }
  }

  async #writeParts(number: number, slices: Slices): Promise<number> {
    const { database, place, seal } = this.#parts;
    await this.#removeParts(number);
    let [part, bytes] = [0, 0];
    for await (const text of textsOf(slices)) {
      part += 1;
      const body = seal.closeBytes(Buffer.from(text), partPlace(place, number, part));
      await database.rows('insert into documents values ($1, $2, $3, $4)', [place, number, part, body]);
      bytes += body.length;
    }
    return bytes;
  }

  async #removeParts(number: number): Promise<void> {
    const { database, place } = this.#parts;
    const unless = 'not exists (select 1 from books where place = $1 and folded = $2)';
    await database.rows(`delete from documents where place = $1 and number = $2 and ${unless}`, [place, number]);
  }

  /** Called when every write is confirmed. */
  async #replace(
    working: WorkingSet<Collections>,
    number: number,
    bytes: number,
    changes: readonly WrittenChange[],
  ): Promise<void> {
    if (this.#head >= number) {
      throw new StoreError('refused', 'Too many writes during the replacement: nothing changed');
    }
    const { database, instance, place, seal } = this.#parts;
    const body = seal.closeBytes(Buffer.from(JSON.stringify(batchEntries([changes]))), batchPlace(place, number + 1));
    const since = instance.now();
    const rows = await database.rows(replaceBy, [place, this.#fence, number, body]).catch(() => []);
    if (rows.length === 0) await this.#settle(number + 1, since);
    this.#working = working;
    this.#isReplacing = false;
    this.#head = number + 1;
    this.#confirmed = this.#head;
    this.#documentBytes = bytes;
    this.#logBytes = body.length;
  }

  /** Resolves where a batch came through of which that was unknown. */
  async #settle(number: number, since: number): Promise<void> {
    this.#recover(since);
    await this.#recovering;
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#confirmed < number) throw new StoreError('refused', 'PostgreSQL refused the write: nothing changed');
  }
}
