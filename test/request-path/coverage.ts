import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** The sandbox code that ran: numbers of files and function calls, and the calls per file. */
export interface Ran {
  readonly files: number;
  readonly calls: number;
  readonly callsByFile: Readonly<Record<string, number>>;
}

const ownCode = new URL('../../sandbox/', import.meta.url).href;

/** Returns the files of the sandbox's own code that this process has loaded. */
export async function loadedFiles(): Promise<readonly string[]> {
  const session = new Session();
  const urls: string[] = [];
  session.connect();
  session.on('Debugger.scriptParsed', ({ params: { url } }) => void urls.push(url));
  await session.post('Debugger.enable');
  session.disconnect();
  return urls.filter((url) => url.startsWith(ownCode)).map((url) => url.slice(ownCode.length));
}

/** Counts function calls under `sandbox/` in this process, with the precise coverage of the JavaScript engine. */
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

  /** Returns the counts and resets them to zero. */
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
