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
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string | undefined;
}

/** Most characters that the calls of one log take that are held as they were (OP-57); the oldest make room. */
const mostCharacters = 4 * 1024 * 1024;

/**
 * The newest calls of a log as they were, in memory only: they are never written, and nobody is told of them but the
 * check of the log. An entry whose call is not held any more is judged by what the log keeps of it.
 */
export class HeldCalls {
  readonly #held = new Map<ActivityEntry, Wire>();
  readonly #most: number;
  #characters = 0;

  constructor(most = mostCharacters) {
    this.#most = most;
  }

  hold(entry: ActivityEntry, wire: Wire): void {
    this.#held.set(entry, wire);
    this.#characters += charactersOf(wire);
    for (const [oldest, dropped] of this.#held) {
      if (this.#characters <= this.#most) return;
      this.#held.delete(oldest);
      this.#characters -= charactersOf(dropped);
    }
  }

  of(entry: ActivityEntry): Wire | undefined {
    return this.#held.get(entry);
  }
}

function charactersOf({ url, request, reply }: Wire): number {
  const of = ({ headers, text = '' }: WireMessage) =>
    headers.reduce((sum, [name, value]) => sum + name.length + value.length, text.length);
  return url.length + of(request) + (reply === undefined ? 0 : of(reply));
}
