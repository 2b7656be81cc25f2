import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyOf } from './project-copy.ts';
import type { TestRequest } from './session.ts';
import { isNightly } from './test-files.ts';
import type { TestRun } from './verdict.ts';

/** How long a run may take, and what ends it early. */
export interface Bounds {
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * The vitest processes of one worker: for each suite one on the project, and one on a copy of it, for tests that read
 * the code from the disk. Each starts when it is first needed, and again after a run that did not end.
 */
export class Sessions implements AsyncDisposable {
  readonly #folder: string;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #opened = new AsyncDisposableStack();
  #copy: Promise<string> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs test files, with the changed file also on the disk if `onDisk` is set. */
  async run(request: TestRequest, onDisk: boolean, bounds: Bounds): Promise<TestRun> {
    if (onDisk) this.#copy ??= this.#copyProject();
    const folder = (onDisk && (await this.#copy)) || this.#folder;
    const session = await this.#session(
      folder,
      request.tests.some(isNightly) ? 'vitest.nightly.config.ts' : 'vitest.config.ts',
    );
    const { changed } = request;
    if (!onDisk || changed === undefined) return await session.run(request, bounds);
    const path = join(folder, changed.file);
    const text = await readFile(path);
    await writeFile(path, changed.text);
    try {
      await buildDashboard(folder, changed.file);
      return await session.run(request, bounds);
    } finally {
      await writeFile(path, text);
      await buildDashboard(folder, changed.file);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }

  async #copyProject(): Promise<string> {
    return this.#opened.use(await copyOf(this.#folder)).folder;
  }

  #session(folder: string, config: string): Promise<Session> {
    const key = join(folder, 'test', config);
    const session = this.#sessions.get(key) ?? this.#open(folder, key);
    this.#sessions.set(key, session);
    return session;
  }

  async #open(folder: string, config: string): Promise<Session> {
    const temporary = await mkdtemp(join(tmpdir(), 'mutants-'));
    // PostgreSQL runs as another user.
    await chmod(temporary, 0o755);
    this.#opened.defer(() => rm(temporary, { recursive: true, force: true }));
    return this.#opened.use(new Session(folder, config, temporary));
  }
}

/** One vitest process. What its tests leave behind ends with it: processes in its group, files in its temporary folder. */
class Session implements Disposable {
  readonly #start: () => ChildProcess;
  #child: ChildProcess | undefined;
  #complaints = '';

  constructor(folder: string, config: string, temporary: string) {
    const program = fileURLToPath(new URL('session.ts', import.meta.url));
    const env = { ...environment(), TMPDIR: temporary };
    this.#start = () =>
      fork(program, [folder, config], {
        ...{ cwd: folder, env, execArgv: [], detached: true },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
  }

  async run(request: TestRequest, { limitSeconds, signal }: Bounds): Promise<TestRun> {
    signal.throwIfAborted();
    const child = this.#child?.connected ? this.#child : this.#restart();
    const limit = AbortSignal.timeout(limitSeconds * 1000);
    const exit = new AbortController();
    const onExit = () => exit.abort();
    child.once('exit', onExit).send(request);
    try {
      const [run] = await once(child, 'message', { signal: AbortSignal.any([limit, signal, exit.signal]) });
      return run;
    } catch {
      this.#end();
      signal.throwIfAborted();
      return limit.aborted ? { ended: 'timed out' } : { ended: 'by itself', tests: [], broken: [this.#complaints] };
    } finally {
      child.off('exit', onExit);
    }
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  #restart(): ChildProcess {
    this.#end();
    const child = this.#start();
    this.#child = child;
    this.#complaints = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-2000);
    });
    return child;
  }

  #end(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // Usually nothing is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** The environment without what the vitest of this process, if any, set for its workers. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(VITEST|TEST$|NODE_ENV$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Builds the dashboard of a copy again, after one of its modules changed. */
async function buildDashboard(folder: string, changed: string): Promise<void> {
  if (changed.startsWith('sandbox/dashboard/browser/'))
    await promisify(execFile)(process.execPath, [join(folder, 'tools/dashboard/build.ts')], { cwd: folder });
}
