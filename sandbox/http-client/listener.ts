import type { Readable } from 'node:stream';
import type { Activity } from '../activity-log/activity.ts';
import type { Timer } from '../runtime/clock.ts';
import { ListenerLine, type ListenerReply, type Opening } from './listener-line.ts';

interface ListenerParts {
  readonly activity: Pick<Activity, 'onUpdate'>;
  readonly timer: Timer;
  readonly realTime: () => number;
  readonly clientUrl: () => string;
}

/**
 * The listener of a workspace: a program that makes outgoing calls for the workspace, to a server that the sandbox
 * cannot reach (OP-247). A workspace has at most one.
 */
export class Listener {
  readonly #parts: ListenerParts;
  #line: ListenerLine | undefined;
  #opened = 0;
  /** The number of listeners whose address is being set. */
  #coming = 0;
  #isStopped = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** The line that carries calls; `undefined` while no listener is connected. */
  get line(): ListenerLine | undefined {
    return this.#line;
  }

  /** Returns whether an address belongs to the server to which the listener forwards calls. */
  reaches(url: string): boolean {
    return this.#line !== undefined && URL.parse(url)?.origin === new URL(this.#line.forwardTo).origin;
  }

  /**
   * Opens the line of a new listener, which replaces the previous one.
   *
   * @param claim sets the client URL to `forwardTo`
   * @param opening read after `claim` has resolved
   */
  async open(forwardTo: string, claim: () => Promise<void>, opening: () => Opening): Promise<Readable> {
    const { activity, timer, realTime, clientUrl } = this.#parts;
    this.#coming += 1;
    try {
      await claim();
    } finally {
      this.#coming -= 1;
    }
    this.#opened += 1;
    const id = `${realTime().toString(36)}-${this.#opened}`;
    const line = new ListenerLine(id, forwardTo, timer, opening());
    if (this.#isStopped) line.end('stopping');
    // Another listener connected while this one's address was being set.
    else if (clientUrl() !== forwardTo) line.end('replaced');
    else {
      this.#line?.end('replaced');
      this.#line = line;
      const unsubscribe = activity.onUpdate((update) => {
        if (update === 'everything') return;
        for (const entry of update)
          if (entry.kind === 'call_out' && entry.via === 'listener') line.tell('entry', entry);
      });
      line.once('close', () => {
        unsubscribe();
        // While the sandbox stops, the line stays set, so that the last calls do not go to another address.
        if (this.#line === line && !this.#isStopped) this.#line = undefined;
      });
    }
    return line;
  }

  /** Accepts a reply from a listener. Returns whether a call or a heartbeat awaits it. */
  reply(id: string, reply: ListenerReply): boolean {
    return this.#line?.id === id && this.#line.accept(reply);
  }

  /** Ends the line if the client URL has changed. */
  follow(clientUrl: string): void {
    if (this.#line === undefined || this.#line.forwardTo === clientUrl) return;
    this.#line.end(this.#coming > 0 ? 'replaced' : 'client_url_changed');
    this.#line = undefined;
  }

  /** Ends the line after the calls in progress have ended. No new calls begin. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#line?.drain();
  }
}
