import type { SealLabel } from '../../store/seal.ts';
import type { Database, Row, Timer } from './database.ts';

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
  /** The name under which this instance owns collections. */
  id = '';
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
    await this.#database.rows('delete from instances where id = $1', [this.id]);
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
        [this.id, leaseMilliseconds / 1000],
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
    this.id = id;
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

/** The claim of this instance on collections, as stored in PostgreSQL. */
export interface Claim {
  readonly fence: bigint;
  /** The number of the last batch in the log. */
  readonly head: number;
  /** The number of the last batch that the documents include; 0 if there are no documents. */
  readonly checkpoint: number;
  readonly label: SealLabel;
}

/** The columns of `stores` that `claimOf` reads. */
export const claimColumns = 'fence, head, checkpoint, label';

/**
 * A query for the owner of collections and for its lease, with the lease row locked. The lock waits for a renewal in
 * progress, and prevents new ones until the statement has ended. The lease is compared with the time at which the
 * statement began.
 */
const ownerOf = `with current as (select owner from stores where place = $1),
  lease as (select lease_until from instances where id = (select owner from current) for share)`;

/**
 * Claims collections, and creates missing ones. If another instance owns them, returns its address. The claim increments
 * the fence, so that every later commit of an earlier owner is refused. It waits for a commit in progress.
 */
export async function claim(
  database: Database,
  { id }: Instance,
  place: string,
  label: SealLabel,
): Promise<Claim | { readonly address: string }> {
  const [row] = await database.rows(
    `${ownerOf} insert into stores as s (place, fence, owner, label) values ($1, 1, $2, $3)
      on conflict (place) do update set fence = s.fence + 1, owner = $2
        where s.owner is null or s.owner = $2 or s.owner = (select owner from current) and not exists (select 1 from lease where lease_until > now())
      returning ${claimColumns}`,
    [place, id, JSON.stringify(label)],
  );
  if (row) return claimOf(row);
  const [owner] = await database.rows(
    'select coalesce(i.internal, i.address) as address from stores s join instances i on i.id = s.owner where s.place = $1',
    [place],
  );
  return { address: String(owner?.address ?? 'an unknown address') };
}

/**
 * Reclaims collections of this instance, under a new fence. No earlier commit can succeed afterwards, so `head` shows
 * which commits succeeded. Returns undefined if another instance owns the collections. Rejects if PostgreSQL does not
 * respond in time.
 *
 * @param isRepeat whether an earlier attempt under this fence received no response, and may have set a new fence
 */
export async function reclaim(
  database: Database,
  { id }: Instance,
  place: string,
  fence: bigint,
  isRepeat: boolean,
): Promise<Claim | undefined> {
  const [row] = await database.rows(
    `update stores s set fence = s.fence + 1, owner = $3
      where place = $1 and (fence = $2 or $4::boolean and fence > $2 and owner = $3) returning ${claimColumns}`,
    [place, fence, id, isRepeat],
    database.deadlines.commit,
  );
  return row && claimOf(row);
}

/** Releases collections, so that any instance can claim them immediately. */
export async function releaseClaim(database: Database, place: string, fence: bigint): Promise<void> {
  await database.rows('update stores set owner = null where place = $1 and fence = $2', [place, fence]);
}

export function claimOf({ fence, head, checkpoint, label }: Row): Claim {
  return {
    fence: BigInt(String(fence)),
    head: Number(head),
    checkpoint: Number(checkpoint),
    label: label as SealLabel,
  };
}
