import type { CommitLog, Prepared } from '../../store/commit-log.ts';
import { type Batch, batchEntries } from '../../store/encoding.ts';
import type { Slices } from '../../store/row.ts';
import { StoreError } from '../../store/store.ts';
import type { WorkingSet, WrittenChange } from '../../store/working-set.ts';
import { type CheckpointParts, Checkpoints } from './checkpoints.ts';
import { type Claim, reclaim, releaseClaim } from './claims.ts';
import type { Instance } from './instance.ts';

/** Maximum number of batches that can be written while a replacement is prepared. The replacement's number is higher than theirs. */
const mostMeanwhile = 1_000_000;

/** The dependencies and the initial state of a log. */
export interface LogParts<Collections> extends CheckpointParts {
  readonly instance: Instance;
  readonly claim: Claim;
  readonly working: WorkingSet<Collections>;
}

/**
 * The commit log of one workspace in PostgreSQL. A batch is one row. Its insert succeeds only if the fence is current
 * and the previous batch is present.
 *
 * If the outcome of batches is unknown, the log sets a new fence, which settles the outcome, and resends the missing
 * batches. A batch that cannot be settled in time is refused, and so is every later one. The next owner then determines
 * whether that batch was stored.
 */
export class PostgresLog<Collections> implements CommitLog<Collections> {
  readonly #parts: LogParts<Collections>;
  #working: WorkingSet<Collections>;
  #fence: bigint;
  /** The number of the last batch. */
  #head: number;
  readonly #sent: SentBatches;
  #recovering: Promise<void> | undefined;
  /** Whether the lease under which the store was claimed has ended. Another instance may then own the store. */
  #isDoubtful = false;
  readonly #checkpoints: Checkpoints<Collections>;
  #checkpoint: Promise<void> | undefined;
  #isReplacing = false;
  #isClosed = false;
  readonly #forget: () => void;

  constructor(parts: LogParts<Collections>) {
    const { claim, working, instance } = parts;
    this.#parts = parts;
    this.#working = working;
    this.#fence = claim.fence;
    this.#head = claim.head;
    this.#sent = new SentBatches(claim.head);
    this.#checkpoints = new Checkpoints(parts);
    this.#forget = instance.onRenamed(() => {
      this.#isDoubtful = true;
      this.#recover();
    });
  }

  async commit(transactions: Batch): Promise<number> {
    const number = this.#head + 1;
    const body = this.#sealBatch(transactions, number);
    this.#head = number;
    this.#checkpoints.logBytes += body.length;
    const written = { number, body, at: this.#parts.instance.now() };
    this.#sent.pending.push(written);
    if (this.#recovering === undefined) this.#hand(written);
    await this.#sent.confirmation(number);
    return body.length;
  }

  get lost(): StoreError | undefined {
    return this.#sent.lost;
  }

  get paused(): boolean {
    return this.#isDoubtful || !this.#parts.instance.holds;
  }

  applied(): void {
    if (!this.#checkpoints.isDue || this.#checkpoint !== undefined || this.#isReplacing) return;
    this.#checkpoint = this.#checkpoints
      .write(this.#sent.confirmed, () => this.#fence, this.#working)
      .finally(() => {
        this.#checkpoint = undefined;
      });
  }

  get checkpointFailure(): string | undefined {
    return this.#checkpoints.failure;
  }

  async prepare(working: WorkingSet<Collections>, slices: Slices): Promise<Prepared> {
    await this.#checkpoint;
    this.#isReplacing = true;
    const number = this.#head + mostMeanwhile;
    try {
      const bytes = await this.#checkpoints.writeParts(number, slices);
      return {
        commit: (changes) => this.#replace(working, number, bytes, changes),
        discard: async () => {
          this.#isReplacing = false;
          // If the log is lost, the next owner deletes these documents with its first checkpoint.
          if (this.#sent.lost === undefined) await this.#checkpoints.removeParts(number);
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
    // Collections that are not released become free when this instance's lease ends.
    if (this.#sent.lost === undefined) await releaseClaim(this.#parts.database, this.#parts.place, this.#fence);
  }

  #sealBatch(transactions: Batch, number: number): Buffer {
    const { seal, place } = this.#parts;
    return seal.closeBytes(Buffer.from(JSON.stringify(batchEntries(transactions))), batchPlace(place, number));
  }

  #hand({ number, body }: SentBatch): void {
    const { database, place } = this.#parts;
    const fence = this.#fence;
    // Ignore failures under an earlier fence, because the newer fence settles them.
    const recover = () => {
      if (this.#fence === fence) this.#recover();
    };
    database
      .commit(insertBatch, [place, fence, number, body])
      .then((rows) => (rows === 1 ? this.#sent.confirm(number) : recover()), recover);
  }

  /**
   * Determines which batches were stored, and resends the others.
   *
   * @param since the time at which the first batch of unknown outcome was written
   */
  #recover(since = this.#sent.pending[0]?.at ?? this.#parts.instance.now()): void {
    if (this.#recovering !== undefined || this.#sent.lost !== undefined) return;
    this.#recovering = this.#recovered(since).finally(() => {
      this.#recovering = undefined;
      // Send the batches that were written meanwhile.
      if (this.#sent.lost === undefined) for (const written of this.#sent.pending) this.#hand(written);
      this.#sent.announce();
    });
  }

  async #recovered(since: number): Promise<void> {
    const { database, instance, place, warn } = this.#parts;
    const { commit, outage } = database.deadlines;
    // A process that was suspended meanwhile still makes one attempt.
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
        this.#sent.confirm(now.head);
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

  /** Sends pending batches, including those added meanwhile. Rejects if one fails. */
  async #handAll(): Promise<void> {
    const { database, place } = this.#parts;
    while (this.#sent.lost === undefined) {
      const [next] = this.#sent.pending;
      if (next === undefined) return;
      const rows = await database.commit(insertBatch, [place, this.#fence, next.number, next.body]);
      if (rows !== 1) throw new Error('a batch was not written');
      this.#sent.confirm(next.number);
    }
  }

  #giveUp(why: string): void {
    this.#sent.lost = new StoreError('gave_up', `The store no longer accepts writes: ${why}`);
  }

  /** Replaces the content of the store. Called only when every earlier write is confirmed. */
  async #replace(working: WorkingSet<Collections>, number: number, bytes: number, changes: readonly WrittenChange[]) {
    if (this.#head >= number) {
      throw new StoreError('refused', 'Too many writes during the replacement: nothing changed');
    }
    const { database, instance, place } = this.#parts;
    const body = this.#sealBatch([changes], number + 1);
    const since = instance.now();
    const rows = await database.rows(replaceBy, [place, this.#fence, number, body]).catch(() => []);
    if (rows.length === 0) await this.#settle(number + 1, since);
    this.#working = working;
    this.#isReplacing = false;
    this.#head = number + 1;
    this.#sent.confirmed = this.#head;
    this.#checkpoints.documentBytes = bytes;
    this.#checkpoints.logBytes = body.length;
  }

  /** Resolves if a batch of unknown outcome was stored, and rejects if it was not. */
  async #settle(number: number, since: number): Promise<void> {
    this.#recover(since);
    await this.#recovering;
    if (this.#sent.lost !== undefined) throw this.#sent.lost;
    if (this.#sent.confirmed < number) throw new StoreError('refused', 'PostgreSQL refused the write: nothing changed');
  }
}

/** A batch in the form that is sent to PostgreSQL. */
interface SentBatch {
  readonly number: number;
  readonly body: Buffer;
  /** The time of the write, on the instance's monotonic clock. */
  readonly at: number;
}

/** The confirmation state of batches, and the callers that wait for it. */
class SentBatches {
  /** The number of the last confirmed batch. */
  confirmed: number;
  /** Batches that are not confirmed yet. */
  readonly pending: SentBatch[] = [];
  /** The error after which no more batches can be confirmed. */
  lost: StoreError | undefined;
  #waiting: (() => void)[] = [];

  constructor(confirmed: number) {
    this.confirmed = confirmed;
  }

  /** Resolves when a batch is confirmed. Rejects if the log is lost first. */
  async confirmation(until: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (this.lost !== undefined || this.confirmed >= until) resolve();
      else this.#waiting.push(look);
    };
    look();
    await promise;
    if (this.lost !== undefined && this.confirmed < until) throw this.lost;
  }

  confirm(number: number): void {
    this.confirmed = Math.max(this.confirmed, number);
    while ((this.pending[0]?.number ?? Number.POSITIVE_INFINITY) <= this.confirmed) this.pending.shift();
    this.announce();
  }

  /** Makes every waiting caller check again. */
  announce(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}

/** Inserts one row, unless the fence has changed or the previous batch is missing. */
const insertBatch = `with moved as
    (update stores set head = $3::bigint where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)
  insert into commit_log (place, number, fence, body) select place, $3::bigint, $2::bigint, $4::bytea from moved`;

/** Makes the documents of a number current and inserts one batch after them, unless the fence has changed. */
const replaceBy = `with moved as
    (update stores set checkpoint = $3, head = $3::bigint + 1 where place = $1 and fence = $2 and head < $3 returning place),
  batches as (delete from commit_log where place in (select place from moved)),
  parts as (delete from documents where place in (select place from moved) and number <> $3)
  insert into commit_log (place, number, fence, body)
    select place, $3::bigint + 1, $2::bigint, $4::bytea from moved returning place`;

/** Returns the position that a batch is sealed with. A sealed batch opens only at that position. */
export function batchPlace(place: string, number: number): string {
  return `commit ${place} ${number}`;
}
