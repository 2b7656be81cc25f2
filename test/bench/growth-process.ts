import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeSubject, type Subject } from './growth-load.ts';
import type { Figures, Ready } from './growth-sandbox.ts';

const script = fileURLToPath(new URL('growth-sandbox.ts', import.meta.url));

/** A sandbox of a checkout in its own process, and its figures. */
export class SandboxProcess {
  readonly subject: Subject;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, subject: Subject) {
    this.#child = child;
    this.subject = subject;
  }

  static async start(checkout: string, data: string): Promise<SandboxProcess> {
    const child = fork(script, [checkout, data], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const ended = once(child, 'exit').then(() => {
      throw new Error('the sandbox ended before it was ready');
    });
    const [ready] = (await Promise.race([once(child, 'message'), ended])) as [Ready];
    ended.catch(() => undefined);
    return new SandboxProcess(child, makeSubject(ready));
  }

  /** Starts counting figures. */
  async begin(): Promise<void> {
    await this.#ask('begin');
  }

  /** Figures since `begin`; undefined if the process has ended. */
  async read(): Promise<Figures | undefined> {
    return (await this.#ask('read')) as Figures | undefined;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.send('close');
    await ended;
  }

  async #ask(question: string): Promise<unknown> {
    if (!this.#child.connected) return undefined;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const onMessage = (message: unknown) => resolve(message);
    const onExit = () => resolve(undefined);
    this.#child.once('message', onMessage).once('exit', onExit);
    this.#child.send(question);
    const answer = await promise;
    this.#child.off('message', onMessage).off('exit', onExit);
    return answer;
  }
}
