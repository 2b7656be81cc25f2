import type { Files } from './files.ts';
import type { Sealer } from './seal.ts';

/**
 * The names of a store's files. A generation is the document, and the journals and segments that belong to it. Whoever takes a folder
 * over from a process that may still wake up moves to the next generation: what the other then still writes has names
 * that nobody reads any more. A folder that was never taken over so is of generation 0.
 */
const DOCUMENT = /^db(?:-(\d+))?\.json$/;
const JOURNAL = /^journal-(?:(\d+)-)?(\d+)\.log$/;

const SEGMENT = /^segment-(?:(\d+)-)?(\d+)\.rows$/;

/** Where files of a store are made. */
export interface FilePlace {
  readonly dir: string;
  readonly files: Files;
  readonly sealer: Sealer;
  readonly generation: number;
}

/** The document's name. */
export function documentName(generation: number): string {
  return generation === 0 ? 'db.json' : `db-${generation}.json`;
}

/** The name of the journal that follows batch `base`. */
export function journalName(generation: number, base: number): string {
  return generation === 0 ? `journal-${base}.log` : `journal-${generation}-${base}.log`;
}

/** The names of the journals of a generation. */
export function journalNames(names: readonly string[], generation: number): string[] {
  return names.filter((name) => JOURNAL.test(name) && generationOf(name) === generation);
}

/** The name of a segment. */
export function segmentName(generation: number, number: number): string {
  return generation === 0 ? `segment-${number}.rows` : `segment-${generation}-${number}.rows`;
}

/** The numbers of the segments of a generation. */
export function segmentNumbers(names: readonly string[], generation: number): number[] {
  const own = names.filter((name) => generationOf(name) === generation);
  return own.flatMap((name) => SEGMENT.exec(name)?.[2] ?? []).map(Number);
}

/** The generation that counts: the newest that has a document, which is written last of all. */
export function newestGeneration(names: readonly string[]): number {
  const documents = names.filter((name) => DOCUMENT.test(name));
  return Math.max(0, ...documents.map((name) => generationOf(name) ?? 0));
}

/**
 * What a fold or a takeover left half made, and every file of an older generation. What is newer stays: it can be what
 * another process makes that took the folder over from this one, which does not know it yet.
 */
export function isLeftover(name: string, generation: number): boolean {
  const own = generationOf(name.replace(/\.tmp$/, ''));
  return own !== undefined && (own < generation || (own === generation && name.endsWith('.tmp')));
}

/** Whether a folder with these files holds a store, whole or damaged. Segments alone are what is left of one. */
export function isStore(names: readonly string[]): boolean {
  return names.some((name) => generationOf(name) !== undefined && !SEGMENT.test(name));
}

/** Undefined for a file that is neither document, journal nor segment. */
function generationOf(name: string): number | undefined {
  const found = DOCUMENT.exec(name) ?? JOURNAL.exec(name) ?? SEGMENT.exec(name);
  return found ? Number(found[1] ?? 0) : undefined;
}
