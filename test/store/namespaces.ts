import type { Pauses } from '../../sandbox/store/held-lock.ts';
import type { KernelLock } from '../../sandbox/store/kernel-lock.ts';

/** A timer that the test moves on: `later` runs when told to, and each wait takes the steps that it is given. */
export class Hands implements Pauses {
  waited = 0;
  /** What happens during each wait. */
  meanwhile: (wait: number) => unknown = () => undefined;
  readonly #waiting = new Set<() => void>();

  async wait(milliseconds: number): Promise<void> {
    this.waited += milliseconds;
    await this.meanwhile(this.waited);
  }

  later(run: () => void): () => void {
    this.#waiting.add(run);
    return () => void this.#waiting.delete(run);
  }

  /** Runs what waits. */
  strike(): void {
    const due = [...this.#waiting];
    this.#waiting.clear();
    for (const run of due) run();
  }
}

/** Network namespaces of the test's own: in each, one process has the kernel's lock of a folder. */
const held = new Set<string>();
export function namespace(name: string): (dir: string) => Promise<KernelLock | undefined> {
  return async (dir) => {
    const reach = `${name} ${dir}`;
    if (held.has(reach)) return undefined;
    held.add(reach);
    return { reach, release: async () => void held.delete(reach) };
  };
}

/** Ends a process of a namespace, as far as the kernel's lock tells: its lock file stays. */
export function killIn(name: string, dir: string): void {
  held.delete(`${name} ${dir}`);
}
