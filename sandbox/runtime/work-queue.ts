/** What the queue needs to know of a piece of work. */
interface Timed {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
}

/** Work in time order: a sorted list for each kind, with the pieces looked up by id. */
export class WorkQueue<W extends Timed> {
  readonly #byId = new Map<string, W>();
  readonly #byKind = new Map<string, W[]>();

  set(work: W): void {
    this.delete(work.id);
    const sorted = this.#byKind.get(work.kind) ?? [];
    this.#byKind.set(work.kind, sorted);
    this.#byId.set(work.id, work);
    sorted.splice(place(sorted, work), 0, work);
  }

  delete(id: string): void {
    const work = this.#byId.get(id);
    if (work === undefined) return;
    this.#byId.delete(id);
    const sorted = this.#byKind.get(work.kind) ?? [];
    sorted.splice(place(sorted, work), 1);
    if (sorted.length === 0) this.#byKind.delete(work.kind);
  }

  /**
   * The first piece that may be taken, of what has come by an instant and of the kinds that are wanted. What comes
   * later, or is of another kind, is not looked at.
   */
  first(until: number, wanted: (kind: string) => boolean, free: (work: W) => boolean): W | undefined {
    let first: W | undefined;
    for (const [kind, sorted] of this.#byKind) {
      const found = wanted(kind) ? sorted.find((work) => work.at > until || free(work)) : undefined;
      if (found === undefined || found.at > until) continue;
      if (first === undefined || before(found, first)) first = found;
    }
    return first;
  }
}

/** Where the work is, or would go: the first place that is not before it. */
function place<W extends Timed>(sorted: readonly W[], work: W): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(sorted[middle] as W, work)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function before(one: Timed, other: Timed): boolean {
  return one.at < other.at || (one.at === other.at && one.id < other.id);
}
