import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { components } from '../../generated/sandbox/types.ts';
import type { Timer } from '../runtime/clock.ts';
import { Interrupted } from './connections.ts';
import { type Packed, type SentCall, TooLarge } from './read-response.ts';

export type ListenerReply = components['schemas']['ListenerReply'];

/** Milliseconds between heartbeats. A listener must reply to each one before the next. */
const heartbeatMilliseconds = 15_000;

/** The reason that the sandbox ends a line. */
type EndReason = 'replaced' | 'client_url_changed' | 'stopping';

const endings: Readonly<Record<EndReason, string>> = {
  replaced: 'another listener took over',
  client_url_changed: 'the client URL was changed',
  stopping: 'the sandbox is stopping',
};

/** Workspace data in the first event to a listener. */
export interface Opening {
  readonly workspace: string;
  readonly client_token: string;
  readonly webhooks: readonly { readonly webhook_id: string; readonly url: string; readonly secret: string }[];
  readonly reply_bytes: number;
}

/** A call whose reply is incomplete. */
interface PendingCall extends Omit<PromiseWithResolvers<Packed>, 'promise'> {
  readonly mostBytes: number;
  readonly parts: Buffer[];
  status: number | undefined;
  head: IncomingHttpHeaders;
  bytes: number;
}

/** The event stream to one listener, and the calls that await its replies. */
export class ListenerLine extends Readable {
  readonly id: string;
  readonly forwardTo: string;
  readonly #timer: Timer;
  readonly #pending = new Map<string, PendingCall>();
  #messages = 0;
  /** The id of the unanswered heartbeat. */
  #heartbeat: string | undefined;
  #cancel: () => void;
  /** The reason that no further calls are made. */
  #ending: EndReason | undefined;
  #isEnded = false;
  #drained = () => {};

  constructor(id: string, forwardTo: string, timer: Timer, opening: Opening) {
    super();
    this.id = id;
    this.forwardTo = forwardTo;
    this.#timer = timer;
    const heartbeat_seconds = heartbeatMilliseconds / 1000;
    this.tell('open', { listener: id, forward_to: forwardTo, ...opening, heartbeat_seconds });
    this.#cancel = this.#beatLater();
  }

  override _read(): void {}

  /** Rejects the calls in progress, as after a network failure. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#cancel();
    this.#abandon('the listener disconnected');
    done(error);
  }

  /** Sends an event. */
  tell(event: string, data: object): void {
    if (!this.#isEnded && !this.destroyed) this.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /**
   * Sends a call to the listener. Rejects if the listener reports that there is no reply, or disconnects. Cancels the
   * call if `givenUp` rejects.
   */
  call(call: SentCall, mostBytes: number, givenUp: Promise<never>): Promise<Packed> {
    if (this.#ending === 'stopping') throw new Interrupted('not_sent', endings.stopping);
    if (this.#ending !== undefined || this.destroyed) throw new Error('the listener disconnected');
    const { operation = null, method, url, headers, body = null } = call;
    const { pathname, search } = new URL(url);
    const id = this.#nextId();
    const { promise, resolve, reject } = Promise.withResolvers<Packed>();
    this.#pending.set(id, { resolve, reject, mostBytes, parts: [], status: undefined, head: {}, bytes: 0 });
    givenUp.catch(() => {
      if (this.#end(id)) this.tell('cancel', { id });
    });
    this.tell('call', { id, operation, method, path: `${pathname}${search}`, headers, body });
    return promise;
  }

  /** Accepts a reply, or a part of one. Returns whether a call or a heartbeat awaits it. */
  accept({ id, status, headers, body = '', more, failure, too_large }: ListenerReply): boolean {
    if (id === this.#heartbeat) {
      this.#heartbeat = undefined;
      return true;
    }
    const call = this.#pending.get(id);
    if (call === undefined) return false;
    call.status ??= status;
    if (headers !== undefined) call.head = headers;
    const part = Buffer.from(body, 'base64');
    if (part.length > 0) call.parts.push(part);
    call.bytes += part.length;
    const problem = problemOf(call, failure, too_large);
    if (problem === undefined && more) return true;
    this.#end(id);
    if (problem === undefined) {
      call.resolve({ status: call.status ?? 0, head: call.head, packed: Buffer.concat(call.parts) });
    } else call.reject(problem);
    return true;
  }

  /** Sends the reason and ends the stream. */
  end(reason: EndReason): void {
    if (this.#isEnded || this.destroyed) return;
    this.tell('end', { reason });
    this.#ending = reason;
    this.#isEnded = true;
    this.#cancel();
    this.#abandon(endings[reason]);
    this.push(null);
  }

  /** Ends the stream because the sandbox is stopping, after the calls in progress have ended. */
  async drain(): Promise<void> {
    if (this.#ending !== undefined || this.destroyed) return;
    this.#ending = 'stopping';
    if (this.#pending.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#drained = resolve;
      await promise;
    }
    this.end('stopping');
  }

  #nextId(): string {
    this.#messages += 1;
    return String(this.#messages);
  }

  /** Stops waiting for the reply to a call. Returns whether the call was pending. */
  #end(id: string): boolean {
    const was = this.#pending.delete(id);
    if (this.#pending.size === 0) this.#drained();
    return was;
  }

  #abandon(why: string): void {
    for (const [id, { reject }] of [...this.#pending]) {
      this.#end(id);
      reject(new Error(why));
    }
  }

  #beatLater(): () => void {
    return this.#timer(() => {
      if (this.#heartbeat !== undefined) {
        this.destroy();
        return;
      }
      this.#heartbeat = this.#nextId();
      this.tell('heartbeat', { id: this.#heartbeat });
      this.#cancel = this.#beatLater();
    }, heartbeatMilliseconds);
  }
}

/** Returns the reason that a call has no usable reply; `undefined` while it can still receive one. */
function problemOf({ status, bytes, mostBytes }: PendingCall, failure?: string, isTooLarge?: true): Error | undefined {
  if (isTooLarge || bytes > mostBytes) return new TooLarge(mostBytes);
  if (failure !== undefined) return new Error(failure);
  return status === undefined ? new Error('the listener sent a reply without a status') : undefined;
}
