import { type AdmittedPlace, notePlace } from '../contract/place.ts';
import { Lag } from '../runtime/lag.ts';
import type { Timer } from '../runtime/timer.ts';
import { Admission, type Capacity } from './admission.ts';
import type { Exchange } from './connections.ts';
import { type ReadTurn, ReadTurns } from './read-turns.ts';

/** Refused calls are told of so often; they are in no log, which would become the load itself. */
const tellMilliseconds = 60_000;

/** What `Retry-After` says. */
const restMilliseconds = 1_000;
/** Refusals are counted for so long. */
const windowMilliseconds = 100;

/** Whose call it is, and what for. */
export interface CallKind {
  /** Whose places it takes one of. */
  readonly share: string;
  /**
   * `new`: work that nobody has begun. `begun`: a workspace's call to itself, which work asks for that was admitted, or
   * somebody who watches the server: always taken in. `marked`: says that it is the former and cannot prove it, as when
   * it came through a proxy; such calls have places of their own.
   */
  readonly kind: 'new' | 'begun' | 'marked';
  /** Whose reads it is one of, which take turns; left out for any other call. */
  readonly reader?: string | undefined;
}

/** What a call has that was taken in, until it is over. */
export interface Place {
  /** Resolves when the call may begin; undefined where it may at once. */
  readonly turn?: Promise<void> | undefined;
  readonly end: () => void;
}

/** What the gate is given. */
interface GateOptions {
  readonly timer: Timer;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly warn: (message: string) => void;
  readonly capacity: Capacity;
}

/**
 * Takes calls in, or refuses them (OP-83). A call has a place from its last byte until its work is done, also when its
 * caller has left. While its body is still coming, while it waits for something to happen (OP-59), and while its reply
 * is being read (OP-82), it costs no processor time and is bounded otherwise. Reads of one caller take turns, and have a place
 * when it is their turn.
 */
export class Gate {
  readonly #around: GateOptions;
  readonly #admission: Admission;
  readonly #marked: Admission;
  readonly #lag: Lag;
  readonly #reads: ReadTurns;
  #arriving = 0;
  #refused = 0;
  #told = { window: 0, count: 0 };
  #isTelling = false;

  constructor(around: GateOptions) {
    this.#around = around;
    this.#lag = new Lag(around.timer, around.now);
    this.#admission = new Admission(around.capacity, () => this.#lag.milliseconds);
    // Each stands for work that was admitted: it is counted, and never too late.
    this.#marked = new Admission(around.capacity, () => 0);
    const { now, timer } = around;
    this.#reads = new ReadTurns({ now, timer, inService: () => this.#admission.inService + this.#marked.inService });
  }

  /**
   * Takes a call in, or not: then undefined. Its request is as whole as what has arrived of it. Its place ends when
   * nothing is left to do but to let the reply be read.
   */
  enter(call: Exchange, { share, kind, reader }: CallKind): Place | undefined {
    if (kind === 'begun') return uncounted;
    const { request, response } = call;
    const admission = kind === 'marked' ? this.#marked : this.#admission;
    const whole = request.complete;
    const { places, arriving } = this.#around.capacity;
    const isFull = reader !== undefined && this.#reads.waiting(reader) >= places;
    if (isFull || !admission.isFree(share) || (!whole && this.#arriving >= arriving)) {
      this.#noteRefusal();
      return undefined;
    }
    const place = new HeldPlace(admission, share);
    notePlace(response, place);
    if (!whole) this.#await(call, place);
    else if (reader === undefined) place.take();
    this.#lag.watch(() => this.#admission.inService > 0);
    if (reader !== undefined) place.turn = place.await(this.#reads.begin(reader));
    return place;
  }

  /**
   * How long the connection of a call that was just refused rests, in milliseconds: not at all, unless so many are
   * refused that telling them keeps the loop from the work that it has. Then who asks again at once waits as long as
   * `Retry-After` says.
   */
  rest(): number {
    const { now, capacity } = this.#around;
    const window = Math.floor(now() / windowMilliseconds);
    this.#told = window === this.#told.window ? { window, count: this.#told.count + 1 } : { window, count: 1 };
    return this.#told.count > (capacity.refusals * windowMilliseconds) / 1000 ? restMilliseconds : 0;
  }

  /** Lets a call take its place once its body has come. */
  #await({ request, response }: Exchange, place: HeldPlace): void {
    this.#arriving += 1;
    let isArriving = true;
    const arrived = () => {
      if (isArriving) this.#arriving -= 1;
      isArriving = false;
    };
    request.once('end', () => {
      arrived();
      place.take();
    });
    for (const emitter of [request, response]) emitter.once('close', arrived);
  }

  #noteRefusal(): void {
    this.#refused += 1;
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#around.warn('Overload: some calls are refused with 503 (OP-83)');
    const told = this.#refused;
    this.#around.timer(() => {
      this.#isTelling = false;
      const more = this.#refused - told;
      if (more > 0) this.#around.warn(`${more} more calls were refused with 503 in the last minute`);
    }, tellMilliseconds);
  }
}

/** The place of a call that is always taken in. */
const uncounted = { end: () => {} };

/** One call's place, counted while the call is worked on. */
class HeldPlace implements AdmittedPlace {
  readonly #admission: Admission;
  readonly #share: string;
  turn: Promise<void> | undefined;
  #readTurn: ReadTurn | undefined;
  #isTaken = false;
  #isOver = false;

  constructor(admission: Admission, share: string) {
    this.#admission = admission;
    this.#share = share;
  }

  take(): void {
    if (this.#isTaken || this.#isOver) return;
    this.#isTaken = true;
    this.#admission.take(this.#share);
  }

  /** Takes the place when the turn of a read has come, which ends with it, or once the read only waits. */
  async await(turn: Promise<ReadTurn>): Promise<void> {
    this.#readTurn = await turn;
    this.take();
  }

  readonly end = (): void => {
    this.#give();
    this.#readTurn?.end();
    this.#isOver = true;
  };

  async aside<T>(waiting: Promise<T>): Promise<T> {
    this.#give();
    this.#readTurn?.end();
    try {
      return await waiting;
    } finally {
      this.take();
    }
  }

  #give(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#admission.give(this.#share);
  }
}
