import type { Adapter } from 'lowdb';
import { DocumentDraft, type DocumentPlace } from './document-draft.ts';
import { readDocument } from './read-document.ts';
import type { Slice, Slices } from './view.ts';
import type { WorkingSet } from './working-set.ts';

/** What lowdb keeps as its `data`: every record as of an entry of the log. */
export interface Content<Collections> {
  readonly sequence: number;
  readonly working: WorkingSet<Collections>;
}

/** The lowdb adapter: reads and writes the document a piece at a time. */
export class DocumentAdapter<Collections> implements Adapter<Content<Collections>> {
  readonly #place: DocumentPlace;
  readonly #empty: () => WorkingSet<Collections>;
  /** The size in bytes of the document as last read or written. */
  size = 0;
  #isStopped = false;

  constructor(place: DocumentPlace, empty: () => WorkingSet<Collections>) {
    this.#place = place;
    this.#empty = empty;
  }

  async read(): Promise<Content<Collections> | null> {
    const working = this.#empty();
    const slices = readDocument(this.#place);
    let next = await slices.next();
    for (; !next.done; next = await slices.next()) working.load(next.value);
    if (next.value === undefined) return null;
    this.size = next.value.size;
    return { sequence: next.value.sequence, working };
  }

  /** Writes everything as it is now, while changes continue. */
  async write({ sequence, working }: Content<Collections>): Promise<void> {
    this.size = await writeDocument(this.#place, this.#untilStopped(working.view()), sequence);
  }

  /** Ends a write in progress, which rejects and leaves the earlier document. */
  stop(): void {
    this.#isStopped = true;
  }

  async *#untilStopped(slices: Slices): AsyncGenerator<Slice, void, void> {
    for await (const slice of slices) {
      if (this.#isStopped) throw new Error('The store closes');
      yield slice;
    }
  }
}

/** Writes a document in place of an earlier one, in one step. Returns its size. */
export async function writeDocument(place: DocumentPlace, content: Slices, sequence: number): Promise<number> {
  const draft = await DocumentDraft.create(place);
  try {
    await draft.add(content);
    await draft.finish(sequence);
    await draft.publish();
  } catch (error) {
    // A disk that is full must not stay so because of half a document.
    await draft.discard();
    throw error;
  }
  return draft.size;
}
