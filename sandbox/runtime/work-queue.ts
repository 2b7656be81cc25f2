import type { Work } from './due.ts';

/** Work in time order: a sorted list with the pieces' places looked up by id. */
export class WorkQueue {
  readonly #byId = new Map<string, Work>();
  readonly #sorted: Work[] = [];

  set(work: Work): void {
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

  first(matches: (work: Work) => boolean): Work | undefined {
    return this.#sorted.find(matches);
  }

  /** Where the work is, or would go: the first place that is not before it. */
  #place(work: Work): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#sorted[middle] as Work;
      if (other.at < work.at || (other.at === work.at && other.id < work.id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
