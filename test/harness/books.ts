import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LowdbOptions } from '../../sandbox/store/lowdb.ts';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { type Books, spec } from '../store/books-spec.ts';

/** An empty folder that is gone after the test. */
export async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'store-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/**
 * A copy of a folder in use as it was at one instant, which is what a kill then would have left; without its locks, whose
 * holder would be watched for five seconds, since a copy is another folder.
 */
export async function copyOfFolder(dir: string): Promise<string> {
  for (let before = await sizesIn(dir); ; ) {
    const copy = await makeFolder();
    // A file that is removed meanwhile is reason to copy once more, as any other change is.
    const copied = await cp(dir, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock-') }).then(
      () => true,
      () => false,
    );
    const after = await sizesIn(dir);
    if (copied && after === before) return copy;
    before = after;
  }
}

/** Names and sizes of all files. A journal only grows, and a fold changes names. */
async function sizesIn(dir: string): Promise<string> {
  const names = (await readdir(dir, { recursive: true })).sort();
  const sizes = names.map((name) =>
    stat(join(dir, name)).then(
      ({ size }) => size,
      () => 'gone',
    ),
  );
  return JSON.stringify([names, await Promise.all(sizes)]);
}

/** A store that opens `dir`, closed after the test, with the warnings it gave. */
export async function open(
  options: Partial<LowdbOptions<Books>> & { dir: string },
): Promise<{ store: Store<Books>; warnings: string[] }> {
  const warnings: string[] = [];
  const store = await openLowdbStore({ spec, warn: (message) => warnings.push(message), ...options });
  onTestFinished(() => store.close());
  return { store, warnings };
}

/** Everything that the store holds. */
export function contentOf(store: Store<Books>): Record<keyof Books, readonly object[]> {
  return { orders: store.all('orders'), counters: store.all('counters') };
}

/** The content of each data file in the folder, as bytes in hex. */
export async function bytesOf(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith('lock')).sort();
  const entries = names.map(async (name) => [name, (await readFile(join(dir, name))).toString('hex')] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** One transaction that writes two records of two collections. */
export const pay = (store: Store<Books>, id: string, note = ''): Promise<void> =>
  store.transact((tx) => {
    tx.put('orders', id, { customer: 'ann', points: 5, note });
    tx.put('counters', 'paid', { value: (tx.get('counters', 'paid')?.value ?? 0) + 1 });
  });
