import { type Slot, setSlot } from '../contract/request.ts';
import type { Exchange } from '../runtime/incoming-connections.ts';
import type { Timer } from '../runtime/timer.ts';
import { mostInService } from './limits.ts';
import { type ReadTurn, ReadTurns } from './read-turns.ts';

/** How often refused calls are reported. They are not logged: the log would become the load. */
const reportMilliseconds = 60_000;

/** The caller and the purpose of a call. */
export interface CallKind {
  /** Whose slot it takes: a workspace, or the share of all callers without a registered credential. */
  readonly tenant: string;
  /**
   * `new`: new work. `begun`: a workspace's call to itself for work that was admitted, or a health check; always admitted.
   * `marked`: claims to be a workspace's call to itself without proof, as after a proxy; such calls have slots of their own.
   */
  readonly kind: 'new' | 'begun' | 'marked';
  /** The reader whose reads take turns; left out for any other call. */
  readonly reader?: string | undefined;
}

/** What an admitted call holds until it ends. */
export interface AdmittedCall {
  /** Resolves when the call may begin; undefined where it may immediately. */
  readonly turn?: Promise<void> | undefined;
  readonly end: () => void;
}

/** Counts calls in service, by tenant. */
export class Slots {
  readonly #most: number;
  readonly #byTenant = new Map<string, number>();
  #inService = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get inService(): number {
    return this.#inService;
  }

  /**
   * Whether a tenant can have one more. A tenant has as many as are free at the most, so one alone has half of them,
   * two have a third each, and the next tenant always finds some.
   */
  isFree(tenant: string): boolean {
    return (this.#byTenant.get(tenant) ?? 0) < this.#most - this.#inService;
  }

  /** Takes a slot. A call that was admitted before takes one whether one is free or not. */
  take(tenant: string): void {
    this.#inService += 1;
    this.#byTenant.set(tenant, (this.#byTenant.get(tenant) ?? 0) + 1);
  }

  release(tenant: string): void {
    this.#inService -= 1;
    const left = (this.#byTenant.get(tenant) ?? 0) - 1;
    if (left > 0) this.#byTenant.set(tenant, left);
    else this.#byTenant.delete(tenant);
  }
}

/** What the limit is given. */
interface LimitOptions {
  readonly timer: Timer;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly warn: (message: string) => void;
  readonly most?: number | undefined;
}

/**
 * Admits calls, or refuses them (OP-83). A call has a slot from its last byte until its work is done, also when its caller has
 * left. It has none while its body is still coming, while it waits for something to happen (OP-59), and while its reply is
 * being read (OP-82): it costs no processor time then and is bounded otherwise. Reads of one caller take turns, and have a slot when
 * it is their turn.
 */
export class ConcurrencyLimit {
  readonly #timer: Timer;
  readonly #warn: (message: string) => void;
  readonly #most: number;
  readonly #slots: Slots;
  readonly #marked: Slots;
  readonly #reads: ReadTurns;
  #refused = 0;
  /** Calls other than reads that take turns. */
  #admitted = 0;
  #isReporting = false;

  constructor({ timer, now, warn, most = mostInService }: LimitOptions) {
    this.#timer = timer;
    this.#warn = warn;
    this.#most = most;
    this.#slots = new Slots(most);
    this.#marked = new Slots(most);
    this.#reads = new ReadTurns({
      now,
      timer,
      inService: () => this.#slots.inService + this.#marked.inService,
      admitted: () => this.#admitted,
    });
  }

  /** Admits a call, or not: then undefined. */
  admit({ request, response }: Exchange, { tenant, kind, reader }: CallKind): AdmittedCall | undefined {
    if (kind === 'begun') return uncounted;
    const slots = kind === 'marked' ? this.#marked : this.#slots;
    const isFull = reader !== undefined && this.#reads.waiting(reader) >= this.#most;
    if (isFull || !slots.isFree(tenant)) {
      this.#countRefusal();
      return undefined;
    }
    const call = new CountedCall(slots, tenant);
    setSlot(response, call);
    if (!request.complete) request.once('end', () => call.take());
    else if (reader === undefined) call.take();
    if (reader === undefined) this.#admitted += 1;
    else call.turn = call.takeAt(this.#reads.begin(reader));
    return call;
  }

  #countRefusal(): void {
    this.#refused += 1;
    if (this.#isReporting) return;
    this.#isReporting = true;
    this.#warn('Overload: some calls are refused with 503 (OP-83)');
    const reported = this.#refused;
    this.#timer(() => {
      this.#isReporting = false;
      const more = this.#refused - reported;
      if (more > 0) this.#warn(`${more} more calls were refused with 503 in the last minute`);
    }, reportMilliseconds);
  }
}

/** A call that is always admitted. */
const uncounted: AdmittedCall = { end: () => {} };

/** An admitted call, counted while it is worked on. */
class CountedCall implements AdmittedCall, Slot {
  readonly #slots: Slots;
  readonly #tenant: string;
  turn: Promise<void> | undefined;
  #readTurn: ReadTurn | undefined;
  #isCounted = false;
  #isOver = false;

  constructor(slots: Slots, tenant: string) {
    this.#slots = slots;
    this.#tenant = tenant;
  }

  take(): void {
    if (this.#isCounted || this.#isOver) return;
    this.#isCounted = true;
    this.#slots.take(this.#tenant);
  }

  /** Takes a slot when the turn of a read has come, which ends with it, or once the read only waits. */
  async takeAt(turn: Promise<ReadTurn>): Promise<void> {
    this.#readTurn = await turn;
    this.take();
  }

  readonly end = (): void => {
    this.#release();
    this.#isOver = true;
  };

  async aside<T>(waiting: Promise<T>): Promise<T> {
    this.#release();
    try {
      return await waiting;
    } finally {
      this.take();
    }
  }

  #release(): void {
    if (this.#isCounted) this.#slots.release(this.#tenant);
    this.#isCounted = false;
    // Last: whether the next read rests depends on what else is in service.
    this.#readTurn?.end();
  }
}
