import { isOver } from '../assembly/life.ts';
import { repeatedly, type Timer } from '../runtime/timer.ts';
import { OwnedElsewhere } from '../store/store.ts';
import type { Placement, UnattendedWorkspace } from './placement.ts';
import { Gone, type WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceRecord } from './workspace-record.ts';

/** How often it is looked whether a workspace waits for somebody to have it, in milliseconds; all are looked at each so many times. */
const lookEach = 1_000;
const allEach = 60;

/** What this process does with workspaces that it shares with others. */
interface Host {
  /** Takes one that nobody has. Rejects with `OwnedElsewhere` where somebody was quicker. */
  readonly adopt: (record: WorkspaceRecord) => Promise<WorkspaceHandle>;
  readonly remove: (handle: WorkspaceHandle) => Promise<void>;
  /** Learns how long one lives. */
  readonly learn: (handle: WorkspaceHandle) => Promise<void>;
  readonly get: (id: string) => WorkspaceHandle | undefined;
  readonly timer: Timer;
  readonly realTime: () => number;
  readonly warn: (message: string) => void;
}

/** Takes care of workspaces that nobody has in memory: whose work is due, whose life is over, or whose owner died (OP-209). */
export class Sharing {
  readonly #placement: Placement;
  readonly #host: Host;
  #looks = 0;
  /** How many workspaces there were when all were looked at last. */
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

  /** Begins nothing more, and resolves when what is under way has ended. */
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

  /** What fails is tried again at the next look; that somebody else was quicker is no failure. */
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
