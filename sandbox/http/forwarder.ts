import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:tls';
import type { Timer } from '../runtime/timer.ts';
import { type Envelope, envelopeHeader, makingTls, notHereHeader, sealed, withoutHeaders } from './instances.ts';

/** How often it is asked whether an instance still lives that a call waits for, in milliseconds. */
const lookEach = 2_000;
/** How long a connection to another instance may take to come up. */
const connectMilliseconds = 2_000;
/** Connections to one instance; calls beyond wait for one. */
const mostConnections = 1_024;

/** What only holds for one connection (RFC 9110, 7.6.1), and what is said again. */
const ownHeaders = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['content-length', envelopeHeader],
];

/**
 * How handing on ended. `answered`: the caller has the reply, or what there was of it. `not here`: the other instance did
 * not have the workspace, or could not be reached; nothing was done. `unknown`: it is not known whether anything was done.
 */
export type HandedOn = 'answered' | 'not here' | 'unknown';

/** A call with its whole body. */
export interface WholeCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

interface ForwarderOptions {
  /** What all instances are given. */
  readonly key: Uint8Array;
  /** Whether the instance at an address lives. */
  readonly isLive: (address: string) => Promise<boolean>;
  readonly timer: Timer;
}

/** Hands calls on to the instances that have their workspaces, over connections that are kept (OP-208). */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #agent: Agent;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const kept = { keepAlive: true, maxSockets: mostConnections, maxFreeSockets: 64, timeout: 0 };
    this.#agent = new Agent({ ...kept, ...makingTls(options.key) });
  }

  /**
   * Hands a call on, and its reply back as it comes. Whoever leaves takes the call along.
   *
   * @param gone is told once all of it is on its way: from then on the other instance has it among its own
   */
  handOn(
    address: string,
    envelope: Envelope,
    { request, response, body }: WholeCall,
    gone: () => void,
  ): Promise<HandedOn> {
    const { promise, resolve } = Promise.withResolvers<HandedOn>();
    const [host, port] = hostAndPortOf(address);
    const headers = withoutHeaders(request.rawHeaders, ownHeaders);
    headers.push(envelopeHeader, sealed(envelope));
    const hasBody = body.length > 0 || request.headers['content-length'] !== undefined;
    if (hasBody) headers.push('Content-Length', String(body.length));
    const { method, url: path } = request;
    const sent = httpsRequest({ host, port, method, path, headers, agent: this.#agent, setHost: false });
    let [isReached, isDead] = [false, false];
    const endWatch = this.#watch(address, () => {
      isDead = true;
      sent.destroy();
    });
    const over = (how: HandedOn) => {
      endWatch();
      resolve(how);
    };
    const leave = () => sent.destroy();
    response.once('close', leave);
    sent.on('socket', (socket) => {
      if (!socket.connecting) {
        isReached = true;
        return;
      }
      const cancel = this.#options.timer(() => socket.destroy(new Error('no connection')), connectMilliseconds);
      socket.once('secureConnect', () => {
        isReached = true;
        cancel();
      });
      socket.once('close', cancel);
    });
    sent.once('finish', gone);
    sent.on('response', (reply) => {
      if (reply.headers[notHereHeader] !== undefined) {
        reply.resume();
        response.off('close', leave);
        return over('not here');
      }
      this.#handBack(reply, response, over);
    });
    sent.on('error', async () => {
      if (response.headersSent || response.closed) return over('answered');
      response.off('close', leave);
      if (!isReached) return over('not here');
      // An instance that lives and hung up meant to: a fault that was asked for.
      if (!isDead && (await isThere(host, port, this.#options.key))) {
        response.socket?.resetAndDestroy();
        return over('answered');
      }
      over('unknown');
    });
    sent.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }

  #handBack(reply: IncomingMessage, response: ServerResponse, over: (how: HandedOn) => void): void {
    response.sendDate = false;
    const kept = withoutHeaders(reply.rawHeaders, ['connection', 'keep-alive', 'transfer-encoding']);
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage, kept);
    // A stream begins with its head.
    response.flushHeaders();
    reply.pipe(response);
    reply.once('error', () => response.destroy());
    reply.once('close', () => {
      if (!reply.complete) response.destroy();
      over('answered');
    });
  }

  /** Calls `dead` once the instance does not hold its lease any more. Returns the end of that. */
  #watch(address: string, dead: () => void): () => void {
    const { timer, isLive } = this.#options;
    let cancel = () => {};
    let isOver = false;
    const look = async () => {
      if (await isLive(address)) wait();
      else if (!isOver) dead();
    };
    const wait = () => {
      if (!isOver) cancel = timer(() => void look(), lookEach);
    };
    wait();
    return () => {
      isOver = true;
      cancel();
    };
  }
}

/** Whether the instance there answers: a process that is dying, or stands still, takes connections and says nothing. */
function isThere(host: string, port: number, key: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMilliseconds, ...makingTls(key) });
    const tell = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once('secureConnect', tell(true)).once('error', tell(false)).once('timeout', tell(false));
    socket.once('close', tell(false));
  });
}

function hostAndPortOf(address: string): readonly [string, number] {
  const at = address.lastIndexOf(':');
  return [address.slice(0, at).replace(/^\[|\]$/g, ''), Number(address.slice(at + 1))];
}
