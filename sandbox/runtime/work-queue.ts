/** What the queue needs to know of a piece of work. */
interface Timed {
  readonly id: string;
  readonly at: number;
}

/** Work in time order: a sorted list with the pieces' places looked up by id. */
export class WorkQueue<W extends Timed> {
  readonly #byId = new Map<string, W>();
  readonly #sorted: W[] = [];

  set(work: W): void {
    this.delete(work.id);
    this.#byId.set(work.id, work);
    this.#sorted.splice(this.#place(work), 0, work);
  }

  delete(id: string): void {
    const work = this.#byId.get(id);
    if (work === undefined) return;
    this.#byId.delete(id);
    this.#sorted.splice(this.#place(work), 1);
  }

  first(matches: (work: W) => boolean): W | undefined {
    return this.#sorted.find(matches);
  }

  /** Where the work is, or would go: the first place that is not before it. */
  #place(work: W): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#sorted[middle] as W;
      if (other.at < work.at || (other.at === work.at && other.id < work.id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
