import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { Timer } from '../runtime/clock.ts';
import {
  type Envelope,
  envelopeHeader,
  hostAndPortOf,
  makingTls,
  notHereHeader,
  sealEnvelope,
  withoutHeaders,
} from './instances.ts';
import { connectMilliseconds, type Reachability } from './reachability.ts';

/** Maximum number of connections to one instance. Further calls wait for a free one. */
const mostConnections = 1_024;
/**
 * Maximum idle time of a connection. The other instance announces a shorter one, which Node respects only if it is
 * below this limit. Without this limit, a call could use a connection that the other side has already closed, and would
 * be reset.
 */
const mostIdleMilliseconds = 60_000;

/** Headers that apply to one connection only (RFC 9110, 7.6.1), and headers that the forwarder sets itself. */
const ownHeaders = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['content-length', envelopeHeader],
];

/**
 * The result of forwarding a call. `answered`: the caller has received the reply, or the part that arrived. `not here`:
 * the other instance did not own the workspace or could not be reached, and nothing was done. `unknown`: the call may
 * have been executed.
 */
export type ForwardResult = 'answered' | 'not here' | 'unknown';

/** A call with its complete body. */
export interface WholeCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

interface ForwarderOptions {
  /** The key that all instances share. */
  readonly key: Uint8Array;
  readonly reachability: Reachability;
  readonly timer: Timer;
}

/** Forwards calls to the instances that own their workspaces, over keep-alive connections (OP-208). */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #agent: Agent;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const pooling = { keepAlive: true, maxSockets: mostConnections, maxFreeSockets: 64, timeout: mostIdleMilliseconds };
    this.#agent = new Agent({ ...pooling, ...makingTls(options.key) });
  }

  /**
   * Forwards a call, and streams the reply back as it arrives. If the caller disconnects, the call is cancelled.
   *
   * @param gone called when the complete request is sent: from then on, the other instance counts the call
   */
  forward(address: string, envelope: Envelope, { request, response, body }: WholeCall, gone: () => void) {
    const { reachability, timer } = this.#options;
    if (!reachability.isReachable(address)) return Promise.resolve<ForwardResult>('not here');
    const { promise, resolve } = Promise.withResolvers<ForwardResult>();
    const [host, port] = hostAndPortOf(address);
    const headers = withoutHeaders(request.rawHeaders, ownHeaders);
    headers.push(envelopeHeader, sealEnvelope(envelope));
    const hasBody = body.length > 0 || request.headers['content-length'] !== undefined;
    if (hasBody) headers.push('Content-Length', String(body.length));
    const { method, url: path } = request;
    const sent = httpsRequest({ host, port, method, path, headers, agent: this.#agent, setHost: false });
    let [isReached, isLost] = [false, false];
    const endWatch = reachability.watch(address, () => {
      isLost = true;
      sent.destroy();
    });
    const over = (how: ForwardResult) => {
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
      const cancel = timer(() => socket.destroy(new Error('no connection')), connectMilliseconds);
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
      // A live instance that closes the connection does so on purpose, as an injected fault.
      if (!isLost && (await reachability.answers(address))) {
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

  #handBack(reply: IncomingMessage, response: ServerResponse, over: (how: ForwardResult) => void): void {
    response.sendDate = false;
    const headers = withoutHeaders(reply.rawHeaders, ['connection', 'keep-alive', 'transfer-encoding']);
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage, headers);
    // Send the headers immediately, because a stream may not have any data yet.
    response.flushHeaders();
    reply.pipe(response);
    reply.once('error', () => response.destroy());
    reply.once('close', () => {
      if (!reply.complete) response.destroy();
      over('answered');
    });
  }
}
