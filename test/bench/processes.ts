import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { env as environment, execPath } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Returns the absolute path of a project file. */
export const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Maximum time for a process to become idle, in seconds. */
const quietLimit = 3;

/** A process started by a part. */
export class Started {
  readonly #child: ChildProcess;
  #out = '';
  #err = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#out.length < 1_000_000) this.#out += chunk;
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#err = `${this.#err}${chunk}`.slice(-500);
    });
    child.on('error', (error) => {
      this.#err += String(error);
    });
  }

  /** Resolves with the first line of JSON that the process prints. */
  async json<T>(): Promise<T> {
    const [, line = ''] = await this.prints(/^(\{.*\})\r?\n/m);
    return JSON.parse(line) as T;
  }

  /** Resolves with the first match in the output. */
  prints(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.#out);
        if (match !== null) resolve(match);
      };
      look();
      this.#child.stdout?.on('data', look);
      this.#child.once('close', () => {
        look();
        reject(new Error(`a process ended without output: ${this.#err || this.#out.slice(-300)}`));
      });
      this.#child.once('error', reject);
    });
  }

  /** Resolves with the exit code once the process has ended, or with `undefined` if a signal ended it or it did not start. */
  ending(): Promise<number | undefined> {
    return new Promise((resolve) => {
      if (this.ended) return resolve(this.#child.exitCode ?? undefined);
      this.#child.once('close', (code) => resolve(code ?? undefined)).once('error', () => resolve(undefined));
    });
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined;
  }

  /** Returns the processor time used so far, in milliseconds. The kernel counts it in hundredths of a second. */
  processor(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11);
    return (Number(user) + Number(system)) * 10;
  }

  /** Returns the process's memory in MB: resident memory, or only mapped files such as its program file. */
  memory(of: 'all' | 'files' = 'all'): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const name = { all: 'VmRSS', files: 'RssFile' }[of];
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  }

  /** Waits until the process is almost idle, for at most `quietLimit`. Work after its replies is part of their cost. */
  async quiet(): Promise<void> {
    for (let looks = 0, before = this.processor(); looks < quietLimit * 4; looks += 1) {
      await wait(250);
      const now = this.processor();
      if (now - before <= 20) return;
      before = now;
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.ended) return;
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill(signal);
    await closed;
  }
}

/** The processes of one part. They end with the part, however it ends. */
export class Processes {
  readonly #started: Started[] = [];
  #isOver = false;

  /** Starts Node with these arguments. */
  node(...args: string[]): Started {
    return this.run(execPath, args);
  }

  run(program: string, args: readonly string[]): Started {
    if (this.#isOver) throw new Error('the part is over');
    // The caller's colour setting and key would affect the measurement.
    const { REWARDS_SANDBOX_KEY: _, FORCE_COLOR: __, ...env } = environment;
    const started = new Started(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env }));
    this.#started.push(started);
    return started;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#started.splice(0).map((one) => one.stop()));
  }
}

/** Waits until a server replies with 200, while its process runs. */
export async function answering(url: string, headers: Record<string, string>, by: Started): Promise<void> {
  for (;;) {
    const status = await fetch(url, { headers }).then(
      async (response) => response.text().then(() => response.status),
      () => 0,
    );
    if (status === 200) return;
    if (status !== 0) throw new Error(`it answers ${status}`);
    if (by.ended) throw new Error('it ended before it answered');
    await wait(50);
  }
}
