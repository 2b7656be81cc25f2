import type { Database, Timer } from './database.ts';

/** The duration of a lease, the renewal interval, and how long before the end of its lease the instance stops serving, in milliseconds. */
export const leaseMilliseconds = 4000;
const renewEach = 1000;
const spare = 500;

export interface InstanceOptions extends SharedClockParts {
  /** Returns a name that no other process has, now or later. */
  readonly newId: () => string;
  /** The address of this process, for messages. */
  readonly address: string;
  /** The `host:port` at which this instance accepts calls from other instances; undefined if it accepts none. */
  readonly internal?: string | undefined;
  /** Schedules the renewals. */
  readonly timer: Timer;
  /** Returns the milliseconds of a monotonic clock that also runs while the process is suspended. */
  readonly now: () => number;
}

/**
 * This process among those that share a database. Its lease is measured on PostgreSQL's clock. Locally, the lease is
 * counted from the instant before a renewal was sent, so it never ends later than in PostgreSQL. An expired lease is
 * not renewed. Instead, the process registers under a new name, and must claim its collections again.
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

  /** The name under which this instance owns collections. */
  get id(): string {
    return this.#id;
  }

  /** Whether the instance certainly still owns everything that it owned at the last renewal. */
  get holds(): boolean {
    return this.#options.now() < this.#until;
  }

  /** The remaining milliseconds of the lease without a renewal, and the number of times the lease was lost. */
  get lease(): { readonly left: number; readonly lost: number } {
    return { left: Math.max(0, this.#until - this.#options.now()), lost: this.#lost };
  }

  get now(): () => number {
    return this.#options.now;
  }

  /** Calls `listener` after the lease has ended and the instance has a new name. Returns a function that removes the listener. */
  onRenamed(listener: () => void): () => void {
    this.#renamed.add(listener);
    return () => this.#renamed.delete(listener);
  }

  /** Calls `listener` after each renewal of the lease. Returns a function that removes the listener. */
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

  /** Registers the instance under a new name. Deletes instances whose leases ended over an hour ago and that own nothing. */
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

/** PostgreSQL's time, in milliseconds since 1970. */
const time = 'extract(epoch from clock_timestamp()) * 1000 as time';

/** Maximum difference between the machine's clock and PostgreSQL's before the operator is warned, in milliseconds. */
const mostSkew = 1000;

interface SharedClockParts {
  /** Returns the milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Returns the machine's time, in milliseconds since 1970. */
  readonly machineTime: () => number;
  readonly warn: (message: string) => void;
}

/**
 * PostgreSQL's clock, which is the same for all instances, whatever their machines' clocks show (OP-236). Between two
 * measurements, it follows a monotonic clock. It never runs backwards. After PostgreSQL's clock was set back, it runs
 * at half speed until that clock has caught up.
 */
export class SharedClock {
  readonly #parts: SharedClockParts;
  /** The offset from the monotonic clock. Until the first measurement, it is based on the machine's clock. */
  #offset: number;
  /** The last returned time, and the monotonic time at which it was read. */
  #last = Number.NEGATIVE_INFINITY;
  #readAt = 0;
  #isSkewed = false;

  constructor(parts: SharedClockParts) {
    this.#parts = parts;
    this.#offset = parts.machineTime() - parts.now();
  }

  /**
   * Adjusts the clock to a time that PostgreSQL reported between `sent` and `received`. The offset changes no more than
   * that interval requires, so that time does not jump with the delay of each response.
   */
  measure(time: number, sent: number, received: number): void {
    this.#offset = Math.min(Math.max(this.#offset, time - received), time - sent);
    this.#warnOfSkew();
  }

  /** Returns the current time, in milliseconds since 1970. */
  time(): number {
    const now = this.#parts.now();
    this.#last = Math.max(now + this.#offset, this.#last + (now - this.#readAt) / 2);
    this.#readAt = now;
    return Math.floor(this.#last);
  }

  /** Returns how far the machine's clock is ahead of PostgreSQL's, in milliseconds. */
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
