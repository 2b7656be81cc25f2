import { join } from 'node:path';
import { Bits } from './bits.ts';
import { type FilePlace, segmentName, segmentNumbers } from './generation.ts';
import { copyOf, type HeldSegment, heldBy, noteOf } from './history.ts';
import { merged } from './merged.ts';
import { toMerge } from './merging.ts';
import { HeldPart } from './past-rows.ts';
import type { Row } from './row.ts';
import { Segment, type SegmentNote } from './segment.ts';
import { mostRows } from './segment-index.ts';
import { SegmentWriter } from './segment-writer.ts';
import { turn } from './turn.ts';
import { rowsOfSlice, type Slice, type View } from './view.ts';
import type { WorkingSet } from './working-set.ts';

/** The name under which a document lists the segments that count, after everything else. No collection has it. */
export const segmentsName = '';

/** The segments that count, as the document lists them. */
export function listOf(notes: readonly SegmentNote[]): Slice {
  return { collection: segmentsName, rows: notes.map((note) => ({ id: String(note.number), record: note })) };
}

/** A row that goes to a segment. */
interface Move {
  readonly collection: string;
  readonly row: Row;
  readonly number: number;
}

interface Moved {
  readonly segment: Segment;
  readonly moves: readonly Move[];
}

/** What became of the rows of a source of a merge: by collection, their numbers in the segment that they went to. */
type Numbers = ReadonlyMap<string, Uint32Array>;

/**
 * What a fold writes of a working set: what is history into segments, the rest into the document, which lists the
 * segments. Memory follows once the document has taken its place.
 */
export class Archiving<Books> {
  readonly #working: WorkingSet<Books>;
  readonly #place: FilePlace;
  /** Everything that counts, as of the instant at which the fold began. */
  readonly #held: readonly HeldSegment[];
  readonly #view: View;
  readonly #moved: Moved[] = [];
  /** The segments that became one, and where their rows went. */
  #sources: readonly HeldSegment[] = [];
  readonly #numbers = new Map<Segment, Numbers>();
  #merged: Segment | undefined;
  #writer: SegmentWriter | undefined;
  #moves: Move[] = [];

  constructor(working: WorkingSet<Books>, place: FilePlace) {
    this.#working = working;
    this.#place = place;
    this.#held = working.history.held.map(copyOf);
    this.#view = working.memoryView();
    working.isMoving = true;
  }

  /** What the document holds. Segments are on the disk before the last slice is there. */
  async *slices(): AsyncGenerator<Slice, void, void> {
    for await (const { collection, rows } of this.#view.slices()) {
      const layered = this.#working.layered(collection);
      const isHistory = layered?.spec.history ?? (() => false);
      const staying = rows.filter(({ record }) => !isHistory(record));
      if (layered) for (const row of rows) if (isHistory(row.record)) await this.#move(layered.name, row as Row);
      await this.#writer?.flush();
      if (staying.length > 0) yield { collection, rows: staying };
    }
    await this.#endMoving();
    await this.#merge();
    const notes = this.#held.filter((held) => !this.#sources.includes(held)).map(noteOf);
    const added = [...this.#moved.map(({ segment }) => segment), ...(this.#merged ? [this.#merged] : [])];
    yield listOf([...notes, ...added.map(({ number, size }) => ({ number, size, hidden: {} }))]);
  }

  /** The document is in its place: memory follows, a slice at a time. Nothing is read for that, so it cannot fail. */
  async publish(): Promise<void> {
    const { history } = this.#working;
    const added = this.#moved.map(({ segment }) => allHidden(segment));
    const gone = this.#sources.map(({ segment }) => segment);
    this.#working.moved();
    await this.#working.change([...added, ...this.#mergedNow(history.held)], gone);
    for (const [at, { moves }] of this.#moved.entries()) {
      for (const [done, { collection, row, number }] of moves.entries()) {
        const held = added[at]?.parts.get(collection);
        if (held) this.#working.layered(collection)?.leave(row, held, number);
        if (done % rowsOfSlice === rowsOfSlice - 1) await turn();
      }
    }
  }

  /** Lets go of what was written, and removes it where no document can list it. */
  async abandon(isUnlisted: boolean): Promise<void> {
    await this.#writer?.discard();
    const added = [...this.#moved.map(({ segment }) => segment), ...(this.#merged ? [this.#merged] : [])];
    for (const segment of added) await segment.release();
    for (const { path } of isUnlisted ? added : []) await this.#place.files.remove(path);
  }

  async close(): Promise<void> {
    this.#working.isMoving = false;
    await this.#view.close();
  }

  async #move(collection: string, row: Row): Promise<void> {
    const writer = await this.#begun();
    const { spec } = this.#working.collection(collection);
    this.#moves.push({ collection, row, number: writer.add(collection, spec, row) });
    if (writer.rows >= mostRows) await this.#endMoving();
  }

  async #endMoving(): Promise<void> {
    const segment = await this.#ended();
    if (segment) this.#moved.push({ segment, moves: this.#moves });
    this.#moves = [];
  }

  async #begun(): Promise<SegmentWriter> {
    if (this.#writer === undefined) {
      const { history } = this.#working;
      const seed = history.seed ?? this.#place.sealer.seed();
      this.#writer = await SegmentWriter.create(this.#place, history.nextNumber(), seed);
    }
    return this.#writer;
  }

  /** Ends the segment that is being written, where there is one, and opens it. */
  async #ended(): Promise<Segment | undefined> {
    if (this.#writer === undefined) return undefined;
    const note = await this.#writer.finish();
    const segment = await Segment.open(this.#place, note, this.#working.history.cache);
    this.#writer = undefined;
    return segment;
  }

  async #merge(): Promise<void> {
    this.#sources = toMerge(this.#held);
    for (const { segment, parts } of this.#sources) {
      this.#numbers.set(segment, new Map([...parts].map(([name, { part }]) => [name, new Uint32Array(part.rows)])));
    }
    const names = new Set(this.#sources.flatMap(({ parts }) => [...parts.keys()]));
    for (const name of names) await this.#mergeRows(name);
    this.#merged = await this.#ended();
  }

  async #mergeRows(name: string): Promise<void> {
    const layered = this.#working.layered(name);
    // What an earlier version kept in another way is in memory again, and all of it hidden here.
    if (layered === undefined) return;
    const lists = this.#sources.map(({ segment, parts }) => placesIn(segment, parts.get(name)));
    let done = 0;
    for (const { segment, number, row } of merged(lists, (one, other) => one.row.ordinal < other.row.ordinal)) {
      const writer = await this.#begun();
      const numbers = this.#numbers.get(segment)?.get(name);
      const next = writer.add(name, layered.spec, row);
      if (numbers) numbers[number] = next;
      done += 1;
      if (done % rowsOfSlice > 0) continue;
      await writer.flush();
      await turn();
    }
  }

  /** What was merged, without the rows that were hidden in its sources since the fold began. */
  #mergedNow(held: readonly HeldSegment[]): HeldSegment[] {
    if (this.#merged === undefined) return [];
    const now = heldBy(this.#merged, {});
    for (const source of this.#sources) {
      const current = held.find(({ segment }) => segment === source.segment);
      for (const [name, before] of source.parts) {
        const { hidden } = current?.parts.get(name) ?? before;
        const numbers = this.#numbers.get(source.segment)?.get(name) ?? new Uint32Array();
        for (let number = 0; number < before.part.rows; number += 1) {
          if (hidden.has(number) && !before.hidden.has(number)) now.parts.get(name)?.hide(numbers[number] ?? 0);
        }
      }
    }
    return [now];
  }
}

/** Removes the files of segments that do not count. */
export async function removeSegments({ files, dir, generation }: FilePlace, held: readonly HeldSegment[]) {
  const counting = new Set(held.map(({ segment }) => segment.number));
  for (const number of segmentNumbers(await files.list(dir), generation)) {
    if (!counting.has(number)) await files.remove(join(dir, segmentName(generation, number)));
  }
}

interface PlaceIn {
  readonly segment: Segment;
  readonly number: number;
  readonly row: Row;
}

function* placesIn(segment: Segment, held: HeldPart | undefined): Generator<PlaceIn> {
  for (const [number, row] of held?.numbered() ?? []) yield { segment, number, row };
}

/** Rows that are in memory until they leave it. */
function allHidden(segment: Segment): HeldSegment {
  const parts = [...segment.parts].map(([name, part]) => [name, new HeldPart(part, Bits.all(part.rows))] as const);
  return { segment, parts: new Map(parts) };
}
