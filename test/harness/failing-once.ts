/** A disk on which one call fails, in one of the usual ways. */
import { diskFiles, type Files, type OpenFile } from '../../sandbox/store/files.ts';
import { type Call, half, systemError, withFaults } from './faulty-files.ts';

export const ways = ['EIO', 'ENOSPC', 'a short write', 'a short write, then ENOSPC'] as const;

/** The kind of failure. */
export type Way = (typeof ways)[number];

/** The calls that a full disk can refuse. Any call can fail with EIO. */
const takesRoom: ReadonlySet<string> = new Set(['write', 'create', 'makeDir', 'rename']);

/** The machine's disk without syncs. No test cuts the power, so every write survives. */
export const hurriedFiles: Files = {
  ...diskFiles,
  create: async (path) => withoutSync(await diskFiles.create(path)),
  open: async (path) => withoutSync(await diskFiles.open(path)),
  syncDir: async () => {},
};

function withoutSync(file: OpenFile): OpenFile {
  return { ...file, sync: async () => {} };
}

/** A disk on which one call fails and the next succeeds. */
export class FailingOnce {
  readonly files: Files;
  /** The number of calls so far that can fail in this way. */
  calls = 0;
  /** The call that failed. */
  hit: Call | undefined;
  readonly #way: Way;
  #number: number;
  #full = false;

  /** @param number the failing call's number, counting only calls that can fail */
  constructor(way: Way, number: number) {
    this.#way = way;
    this.#number = number;
    this.files = withFaults(hurriedFiles, (call) => this.#before(call));
  }

  /** Makes every later call succeed. */
  isWell(): void {
    this.#number = Number.POSITIVE_INFINITY;
    this.#full = false;
  }

  #before(call: Call): unknown {
    if (this.#full && call.name === 'write') {
      this.#full = false;
      throw systemError('ENOSPC');
    }
    if (!this.#canFail(call)) return undefined;
    this.calls += 1;
    if (this.calls !== this.#number) return undefined;
    this.hit = call;
    if (this.#way === 'EIO' || this.#way === 'ENOSPC') throw systemError(this.#way);
    this.#full = this.#way === 'a short write, then ENOSPC';
    return half;
  }

  #canFail({ name }: Call): boolean {
    if (this.#way === 'EIO') return true;
    return this.#way === 'ENOSPC' ? takesRoom.has(name) : name === 'write';
  }
}
