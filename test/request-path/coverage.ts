import { Session } from 'node:inspector/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What of the sandbox's own code ran: how many files, how many calls of functions, and the calls of each file. */
export interface Ran {
  readonly files: number;
  readonly calls: number;
  readonly callsByFile: Readonly<Record<string, number>>;
}

const ownCode = new URL('../../sandbox/', import.meta.url).href;

/** Counts calls of functions under `sandbox/` in this process, by the engine's precise coverage. */
export class CallCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Counts what runs until `work` has resolved and the event loop has finished what followed from it. */
  async during(work: () => Promise<unknown>): Promise<Ran> {
    await settled();
    await this.#take();
    await work();
    await settled();
    return this.#take();
  }

  stop(): void {
    this.#session.disconnect();
  }

  /** Takes the counts, which then begin at zero. */
  async #take(): Promise<Ran> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const own = result.filter(({ url }) => url.startsWith(ownCode));
    const counted = own.map(({ url, functions }): [string, number] => [
      fileURLToPath(url).slice(fileURLToPath(ownCode).length),
      functions.reduce((sum, { ranges: [range] }) => sum + (range?.count ?? 0), 0),
    ]);
    const callsByFile = Object.fromEntries(counted.filter(([, calls]) => calls > 0));
    const calls = Object.values(callsByFile);
    return { files: calls.length, calls: calls.reduce((sum, each) => sum + each, 0), callsByFile };
  }
}

/** A few turns of the event loop: a reply is read before its call has been put away. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}
