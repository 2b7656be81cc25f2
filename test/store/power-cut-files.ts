import { basename } from 'node:path';
import type { Files, OpenFile } from '../../sandbox/store/files.ts';
import { systemError } from '../harness/faulty-files.ts';

interface Inode {
  content: Buffer;
  durable: Buffer;
}

/** The unsynced data that survives a power cut. File systems guarantee nothing here, not even an order. */
export interface Leftover {
  /** The surviving sectors: all, none, or every second one, starting with the first or the second. */
  readonly contents: boolean | 'even' | 'odd';
  /** The surviving name changes: all, none, only removals, or only the newest rename. */
  readonly names: 'none' | 'all' | 'removals' | 'newest';
}

/** The sector size, which is small so that a few lines span many sectors. */
const SECTOR = 48;
/** Size of the first sector, which contains the log's mark. Disks overwrite the mark within one sector. */
const FIRST_SECTOR = 512;

/** Returns the content of a file after a power cut: each sector as last written or as last synced. */
function contentLeft({ content, durable }: Inode, contents: Leftover['contents']): Buffer {
  if (contents === true) return content;
  if (contents === false) return durable;
  const left = Buffer.alloc(content.length);
  for (let [at, sector] = [0, 0]; at < left.length; sector += 1) {
    const end = at === 0 ? FIRST_SECTOR : at + SECTOR;
    const isWritten = sector % 2 === (contents === 'even' ? 0 : 1);
    left.set((isWritten ? content : durable).subarray(at, Math.min(end, left.length)), at);
    at = end;
  }
  return left;
}

/** Every combination of these values. All possible subsets of sectors would be too many. */
export const LEFTOVERS: readonly Leftover[] = ([true, false, 'even', 'odd'] as const).flatMap((contents) =>
  (['none', 'all', 'removals', 'newest'] as const).map((names) => ({ contents, names })),
);

/**
 * An in-memory folder, at any path, that tracks which data is on disk. Content is durable after `sync` of the file, and
 * names after `syncDir`. The test chooses what a power cut does to all other data.
 */
export class PowerCutFiles implements Files {
  #names = new Map<string, Inode>();
  #durableNames = new Map<string, Inode>();
  /** The newest rename since the names were last synced. */
  #renamed: { readonly from: string; readonly to: string; readonly inode: Inode } | undefined;

  /** Returns the disk as the next process finds it. */
  afterPowerCut(leftover: Leftover): PowerCutFiles {
    const next = new PowerCutFiles();
    for (const [name, written] of this.#namesLeft(leftover)) {
      const left = contentLeft(written, leftover.contents);
      const inode = { content: Buffer.from(left), durable: Buffer.from(left) };
      next.#names.set(name, inode);
      next.#durableNames.set(name, inode);
    }
    return next;
  }

  /** Returns a copy of the current disk for another process, while this process continues. */
  killed(): PowerCutFiles {
    const next = new PowerCutFiles();
    const copies = new Map(
      [...this.#durableNames.values(), ...this.#names.values()].map((inode) => [inode, { ...inode }]),
    );
    const copyOf = ([name, inode]: [string, Inode]): [string, Inode] => [name, copies.get(inode) ?? inode];
    next.#names = new Map([...this.#names].map(copyOf));
    next.#durableNames = new Map([...this.#durableNames].map(copyOf));
    return next;
  }

  #namesLeft({ names }: Leftover): Iterable<[string, Inode]> {
    if (names === 'all') return this.#names;
    if (names === 'newest') {
      const left = new Map(this.#durableNames);
      if (this.#renamed) left.set(this.#renamed.to, this.#renamed.inode).delete(this.#renamed.from);
      return left;
    }
    return [...this.#durableNames].filter(([name]) => names === 'none' || this.#names.has(name));
  }

  async makeDir(): Promise<void> {}

  async list(): Promise<string[]> {
    return [...this.#names.keys()];
  }

  async read(path: string): Promise<Buffer | undefined> {
    const inode = this.#names.get(basename(path));
    return inode && Buffer.from(inode.content);
  }

  async openToRead(path: string): Promise<OpenFile | undefined> {
    const inode = this.#names.get(basename(path));
    return inode && fileOf(inode);
  }

  async create(path: string): Promise<OpenFile> {
    const inode = { content: Buffer.alloc(0), durable: Buffer.alloc(0) };
    this.#names.set(basename(path), inode);
    return fileOf(inode);
  }

  async open(path: string): Promise<OpenFile> {
    return fileOf(this.#at(path));
  }

  async rename(from: string, to: string): Promise<void> {
    const renamed = { from: basename(from), to: basename(to), inode: this.#at(from) };
    this.#names.set(renamed.to, renamed.inode);
    this.#names.delete(renamed.from);
    this.#renamed = renamed;
  }

  async remove(path: string): Promise<void> {
    this.#names.delete(basename(path));
  }

  async syncDir(): Promise<void> {
    this.#durableNames = new Map(this.#names);
    this.#renamed = undefined;
  }

  #at(path: string): Inode {
    const inode = this.#names.get(basename(path));
    if (!inode) throw systemError('ENOENT');
    return inode;
  }
}

function fileOf(inode: Inode): OpenFile {
  const writeNow = (bytes: Uint8Array, position: number): number => {
    const content = Buffer.alloc(Math.max(inode.content.length, position + bytes.length));
    inode.content.copy(content);
    content.set(bytes, position);
    inode.content = content;
    return bytes.length;
  };
  return {
    read: async (bytes, position) => inode.content.copy(bytes, 0, position),
    write: async (bytes, position) => writeNow(bytes, position),
    writeNow,
    truncate: async (length) => {
      inode.content = inode.content.subarray(0, length);
    },
    isLinked: () => true,
    sync: async () => {
      inode.durable = inode.content;
    },
    close: async () => {},
  };
}
