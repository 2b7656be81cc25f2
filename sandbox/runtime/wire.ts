import type { ActivityEntry } from './activity-entry.ts';

/** A call as it went over the wire, for whoever judges it: before anything of it is masked or left out. */
export interface Wire {
  /** The path and the query, or the whole address of a call to somebody else. */
  readonly url: string;
  readonly request: WireMessage;
  /** Undefined where no reply came. */
  readonly reply: (WireMessage & { readonly status: number }) | undefined;
}

/** The headers that matter to a contract, and the body; undefined where it was not read or is too large to be held. */
export interface WireMessage {
  /** Names and values in turn: thousands of calls are held, and a list of pairs is many objects more. */
  readonly headers: readonly string[];
  readonly text: string | undefined;
}

/** The headers of a message as pairs. */
export function headerPairs({ headers }: Pick<WireMessage, 'headers'>): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  return pairs;
}

/** Most characters that the calls of one log take that are held as they were (OP-57); the oldest make room. */
const mostCharacters = 4 * 1024 * 1024;

/** From so many dropped ones on their places in the order are given up. */
const mostDropped = 1024;

/** A call that is held, and what it takes. */
interface Held {
  readonly entry: ActivityEntry;
  readonly wire: Wire;
  readonly characters: number;
}

/**
 * The newest calls of a log as they were, in memory only: they are never written, and nobody is told of them but the
 * check of the log. An entry whose call is not held any more is judged by what the log keeps of it.
 */
export class HeldCalls {
  /** By the numbers of their entries, from `#dropped` on: no map, which would be tidied for each that is dropped. */
  readonly #held: (Held | undefined)[] = [];
  #dropped = 0;
  readonly #most: number;
  #characters = 0;

  constructor(most = mostCharacters) {
    this.#most = most;
  }

  hold(entry: ActivityEntry, wire: Wire): void {
    // A number is given anew by a reset, and where what noted it came to nothing: those entries are not in the log.
    while (this.#hasFrom(entry.seq)) this.#characters -= this.#held.pop()?.characters ?? 0;
    const characters = charactersOf(wire);
    this.#held.push({ entry, wire, characters });
    this.#characters += characters;
    while (this.#characters > this.#most) this.#dropOldest();
  }

  of(entry: ActivityEntry): Wire | undefined {
    let [low, high] = [this.#dropped, this.#held.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#held[middle]?.entry.seq ?? entry.seq) < entry.seq) low = middle + 1;
      else high = middle;
    }
    const found = this.#held[low];
    return found?.entry === entry ? found.wire : undefined;
  }

  /** Whether a call is held whose entry has this number or a later one. */
  #hasFrom(seq: number): boolean {
    const newest = this.#held.length > this.#dropped ? this.#held.at(-1) : undefined;
    return newest !== undefined && newest.entry.seq >= seq;
  }

  #dropOldest(): void {
    this.#characters -= this.#held[this.#dropped]?.characters ?? 0;
    this.#held[this.#dropped] = undefined;
    this.#dropped += 1;
    if (this.#dropped < mostDropped) return;
    this.#held.splice(0, this.#dropped);
    this.#dropped = 0;
  }
}

function charactersOf({ url, request, reply }: Wire): number {
  return url.length + charactersIn(request) + (reply === undefined ? 0 : charactersIn(reply));
}

function charactersIn({ headers, text = '' }: WireMessage): number {
  let sum = text.length;
  for (const part of headers) sum += part.length;
  return sum;
}
