import { isOver } from '../assembly/life.ts';
import { repeatedly, type Timer } from '../runtime/timer.ts';
import { OwnedElsewhere } from '../store/store.ts';
import type { Placement, UnattendedWorkspace } from './placement.ts';
import { Gone, type WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceRecord } from './workspace-record.ts';

/** Milliseconds between scans for workspaces without an owner; every `allEach`-th scan covers all. */
const lookEach = 1_000;
const allEach = 60;

/** What this process does with workspaces that it shares with others. */
interface Host {
  /** Claims a workspace without an owner. Rejects with `OwnedElsewhere` if another instance was faster. */
  readonly adopt: (record: WorkspaceRecord) => Promise<WorkspaceHandle>;
  readonly remove: (handle: WorkspaceHandle) => Promise<void>;
  /** Learns how long one lives. */
  readonly learn: (handle: WorkspaceHandle) => Promise<void>;
  readonly get: (id: string) => WorkspaceHandle | undefined;
  readonly timer: Timer;
  readonly realTime: () => number;
  readonly warn: (message: string) => void;
}

/** Claims workspaces that no instance has in memory: whose work is due, that expired, or whose owner died (OP-209). */
export class Sharing {
  readonly #placement: Placement;
  readonly #host: Host;
  #looks = 0;
  /** How many workspaces the last full scan found. */
  count = 1;
  #lastTold = '';
  #isOver = false;
  /** Removals and changes that another instance announced, for workspaces of this one. */
  readonly #heard = new Set<Promise<void>>();
  #end = () => Promise.resolve();

  constructor(placement: Placement, host: Host) {
    this.#placement = placement;
    this.#host = host;
    placement.onAnnouncement(({ kind, id }) => {
      const here = host.get(id);
      if (here === undefined || this.#isOver) return;
      const act = kind === 'removed' ? host.remove : host.learn;
      const done = this.#try(id, () => act(here)).finally(() => this.#heard.delete(done));
      this.#heard.add(done);
    });
  }

  start(): void {
    this.#end = repeatedly(this.#host.timer, () => this.#look(), lookEach);
  }

  /** Begins nothing more, and resolves when work in progress has ended. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all([this.#end(), ...this.#heard]);
  }

  async #look(): Promise<void> {
    const { realTime } = this.#host;
    await this.#try('the list', async () => {
      const waiting = [...(await this.#placement.unattended(realTime()))];
      if (this.#looks % allEach === 0) {
        this.count = await this.#placement.count();
        waiting.push(...(await this.#placement.neglected(realTime())));
      }
      this.#looks += 1;
      await Promise.all(waiting.map((one) => this.#try(one.id, () => this.#takeCareOf(one))));
    });
  }

  async #takeCareOf({ isRemoved, ...record }: UnattendedWorkspace): Promise<void> {
    const { adopt, remove, realTime } = this.#host;
    const here = await adopt(record);
    if (isRemoved || isOver(record.life, realTime())) await remove(here);
  }

  /** Retries failures at the next scan; that another instance was faster is not a failure. */
  async #try(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (error instanceof OwnedElsewhere || error instanceof Gone) return;
      const warning = `Cannot take over workspaces (${what}): ${(error as Error).message}`;
      // It is looked every second.
      if (warning !== this.#lastTold) this.#host.warn(warning);
      this.#lastTold = warning;
    }
  }
}
