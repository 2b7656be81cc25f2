import type { Database, Timer } from './database.ts';

/** How long a lease holds, how often it is renewed, and how long before its end the instance stops serving, in milliseconds. */
export const leaseMilliseconds = 4000;
const renewEach = 1000;
const spare = 500;

export interface InstanceOptions extends SharedClockParts {
  /** A name that no other process has, now or later. */
  readonly newId: () => string;
  /** Its address, for messages. */
  readonly address: string;
  /** Where it takes calls from other instances, as `host:port`; undefined if it takes none. */
  readonly internal?: string | undefined;
  /** Calls back when it is time for a renewal. */
  readonly timer: Timer;
  /** Milliseconds of a monotonic clock that also runs while the process is stopped. */
  readonly now: () => number;
}

/**
 * This process among those that share a database. Its lease is on PostgreSQL's clock; here its end is reckoned from the instant
 * before a renewal was sent, so that it is never later than there. A lease that ended is not renewed: the process takes
 * another name, and has to take its collections again.
 */
export class Instance {
  /** PostgreSQL's clock, measured with each renewal. */
  readonly clock: SharedClock;
  readonly #database: Pick<Database, 'rows'>;
  readonly #options: InstanceOptions;
  #id = '';
  #until = Number.NEGATIVE_INFINITY;
  #lost = 0;
  #cancel = () => {};
  #renewing: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #renamed = new Set<() => void>();
  readonly #renewed = new Set<() => void>();

  private constructor(database: Pick<Database, 'rows'>, options: InstanceOptions) {
    this.clock = new SharedClock(options);
    this.#database = database;
    this.#options = options;
  }

  static async join(database: Pick<Database, 'rows'>, options: InstanceOptions): Promise<Instance> {
    const instance = new Instance(database, options);
    await instance.#register();
    instance.#wait();
    return instance;
  }

  /** Its name, under which it owns collections. */
  get id(): string {
    return this.#id;
  }

  /** Whether what it owned at the last renewal is certainly still its own. */
  get holds(): boolean {
    return this.#options.now() < this.#until;
  }

  /** For how many milliseconds that is so without a renewal, and how often it was not. */
  get lease(): { readonly left: number; readonly lost: number } {
    return { left: Math.max(0, this.#until - this.#options.now()), lost: this.#lost };
  }

  get now(): () => number {
    return this.#options.now;
  }

  /** Calls `listener` when the lease had ended and the instance has another name. Returns the undo. */
  onRenamed(listener: () => void): () => void {
    this.#renamed.add(listener);
    return () => this.#renamed.delete(listener);
  }

  /** Calls `listener` after each renewal of the lease. Returns the undo. */
  onRenewed(listener: () => void): () => void {
    this.#renewed.add(listener);
    return () => this.#renewed.delete(listener);
  }

  /** Deletes the instance's record. Release its collections first. */
  async leave(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#renewing;
    await this.#database.rows('delete from instances where id = $1', [this.#id]);
  }

  #wait(): void {
    this.#cancel = this.#options.timer(() => {
      this.#renewing = this.#renew();
    }, renewEach);
  }

  async #renew(): Promise<void> {
    try {
      const sent = this.#options.now();
      const rows = await this.#database.rows(
        `update instances set lease_until = clock_timestamp() + make_interval(secs => $2)
          where id = $1 and lease_until > clock_timestamp() returning ${time}`,
        [this.#id, leaseMilliseconds / 1000],
      );
      if (rows.length > 0) {
        this.#extend(sent, rows);
        for (const listener of this.#renewed) listener();
      } else if (!this.#isClosed) await this.#rename();
    } catch {
      // PostgreSQL cannot be reached: the lease expires unless a later attempt succeeds.
    }
    if (!this.#isClosed) this.#wait();
  }

  async #rename(): Promise<void> {
    this.#lost += 1;
    await this.#register();
    for (const listener of this.#renamed) listener();
  }

  /** Takes a new name. Those that ended long ago, and own nothing, are forgotten. */
  async #register(): Promise<void> {
    const [sent, id] = [this.#options.now(), this.#options.newId()];
    const rows = await this.#database.rows(
      `with gone as (delete from instances i where lease_until < clock_timestamp() - interval '1 hour'
          and not exists (select 1 from stores s where s.owner = i.id))
        insert into instances values ($1, $2, clock_timestamp() + make_interval(secs => $3), $4) returning ${time}`,
      [id, this.#options.address, leaseMilliseconds / 1000, this.#options.internal ?? null],
    );
    this.#id = id;
    this.#extend(sent, rows);
  }

  #extend(sent: number, [row]: Awaited<ReturnType<Database['rows']>>): void {
    this.#until = sent + leaseMilliseconds - spare;
    this.clock.measure(Number(row?.time), sent, this.#options.now());
  }
}

/** PostgreSQL's time in milliseconds since 1970. */
const time = 'extract(epoch from clock_timestamp()) * 1000 as time';

/** By how many milliseconds the machine's clock may differ from PostgreSQL's before the operator is warned. */
const mostSkew = 1000;

interface SharedClockParts {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly machineTime: () => number;
  readonly warn: (message: string) => void;
}

/**
 * PostgreSQL's clock, which is the same for all instances whatever their machines' clocks say (OP-236). Between two measurements it
 * follows a monotonic clock. It never goes back: if PostgreSQL's clock was set back, it runs at half speed until
 * that has caught up.
 */
export class SharedClock {
  readonly #parts: SharedClockParts;
  /** The offset to the monotonic clock; from the machine's clock until the first measurement. */
  #offset: number;
  /** The last time that was read, and when, on the monotonic clock. */
  #last = Number.NEGATIVE_INFINITY;
  #readAt = 0;
  #isSkewed = false;

  constructor(parts: SharedClockParts) {
    this.#parts = parts;
    this.#offset = parts.machineTime() - parts.now();
  }

  /**
   * Takes over the time that PostgreSQL gave at some instant between `sent` and `received`. The offset changes no more than
   * that proves, so that time does not jump with the delay of each answer.
   */
  measure(time: number, sent: number, received: number): void {
    this.#offset = Math.min(Math.max(this.#offset, time - received), time - sent);
    this.#warnOfSkew();
  }

  /** Milliseconds since 1970. */
  time(): number {
    const now = this.#parts.now();
    this.#last = Math.max(now + this.#offset, this.#last + (now - this.#readAt) / 2);
    this.#readAt = now;
    return Math.floor(this.#last);
  }

  /** How many milliseconds the machine's clock is ahead of PostgreSQL's. */
  skew(): number {
    return this.#parts.machineTime() - this.#parts.now() - this.#offset;
  }

  #warnOfSkew(): void {
    const skew = this.skew();
    const wasSkewed = this.#isSkewed;
    this.#isSkewed = Math.abs(skew) > mostSkew;
    if (!this.#isSkewed || wasSkewed) return;
    const how = `${(Math.abs(skew) / 1000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'}`;
    this.#parts.warn(
      `This machine's clock is ${how} PostgreSQL's, which sandbox time follows. Synchronise both, for example with NTP.`,
    );
  }
}
