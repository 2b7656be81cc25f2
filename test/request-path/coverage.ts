import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** How much of the sandbox's own code ran: how many files, how many calls of functions, and the calls of each file. */
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

  stop(): void {
    this.#session.disconnect();
  }

  /** Returns the counts and sets them to zero. */
  async take(): Promise<Ran> {
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
