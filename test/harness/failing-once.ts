/** A disk on which one call fails, in one of the ways in which disks fail. */
import { diskFiles, type Files, type OpenFile } from '../../sandbox/store/files.ts';
import { type Call, half, systemError, withFaults } from './faulty-files.ts';

export const ways = ['EIO', 'ENOSPC', 'a short write', 'a short write, then ENOSPC'] as const;

/** How a call fails. */
export type Way = (typeof ways)[number];

/** The calls that a full disk can refuse; any call can fail with EIO. */
const takesRoom: ReadonlySet<string> = new Set(['write', 'create', 'makeDir', 'rename']);

/** The machine's disk without syncs: no test cuts the power, so every write is there afterwards. */
export const hurriedFiles: Files = {
  ...diskFiles,
  create: async (path) => withoutSync(await diskFiles.create(path)),
  open: async (path) => withoutSync(await diskFiles.open(path)),
  syncDir: async () => {},
};

function withoutSync(file: OpenFile): OpenFile {
  return { ...file, sync: async () => {} };
}

/** A disk on which one call fails, and the next succeeds. */
export class FailingOnce {
  readonly files: Files;
  /** The calls so far that can fail in this way. */
  calls = 0;
  /** The call that failed. */
  hit: Call | undefined;
  readonly #way: Way;
  #number: number;
  #full = false;

  /** @param number of the call that fails, among those that can */
  constructor(way: Way, number: number) {
    this.#way = way;
    this.#number = number;
    this.files = withFaults(hurriedFiles, (call) => this.#before(call));
  }

  /** From now on every call succeeds. */
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
