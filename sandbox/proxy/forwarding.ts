import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { mostCheckedBytes } from '../conformance/decoding.ts';
import type { Body } from '../conformance/exchange.ts';
import { getOrCreate } from '../runtime/caches.ts';
import {
  hasClearEnd,
  pairs,
  passedHeaders,
  replyFraming,
  replyProblem,
  requestFraming,
  withAdded,
  withFraming,
} from './framing.ts';
import { origin as ownName } from './refusal.ts';

/** The destination of a call. */
export interface Destination {
  readonly base: URL;
  readonly path: string;
  /** Whether the destination is the operator's own server, which is called by its own name, and not the sandbox. */
  readonly foreign: boolean;
}

/**
 * Connections to the upstream servers. They stay open as long as the server announces, and only if no unread data can
 * remain on them. Connections to the sandbox are shared by all callers. A connection to an operator's own server
 * belongs to one caller's connection and closes with it. Unrequested data from such a server therefore cannot reach
 * another caller.
 */
export class UpstreamConnections {
  readonly #sandbox: HttpAgent;
  /** The agents of each caller's connection, by protocol. They are destroyed with the connection. */
  readonly #foreign = new WeakMap<Socket, Map<string, HttpAgent>>();

  /** With `trust`, only the sandbox's own certificate is accepted. Without it, the certificate must be valid like any other. */
  constructor({ protocol }: URL, trust: ConnectionOptions = {}) {
    this.#sandbox = agentFor(protocol, trust);
  }

  /** Begins a call with the head of `incoming`. The caller of this method writes the body. */
  call(incoming: IncomingMessage, { base, path, foreign }: Destination): ClientRequest {
    const secure = base.protocol === 'https:';
    const call = (secure ? httpsRequest : httpRequest)({
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      method: incoming.method,
      path: `${base.pathname.replace(/\/$/, '')}${path}`,
      headers: onwardHeaders(incoming, foreign ? base.host : undefined) as never,
      setHost: false,
      agent: foreign ? this.#foreignAgent(incoming.socket, base.protocol) : this.#sandbox,
    });
    // The head is limited in bytes. A limit on the number of headers would drop some of them unchecked.
    call.maxHeadersCount = 0;
    // Without a keep-alive timeout, a server may close the connection while the next call is in transit. A reply
    // without a body, or without a clear end, may be followed by unexpected data.
    call.once('response', (reply) => {
      const promised = reply.headers['keep-alive']?.includes('timeout=') === true;
      if (!promised || !hasClearEnd(reply, incoming)) call.shouldKeepAlive = false;
    });
    return call;
  }

  /** Returns the agent for calls from one caller's connection to the operator's own servers. */
  #foreignAgent(caller: Socket, protocol: string): HttpAgent {
    const agents = getOrCreate(this.#foreign, caller, () => new Map<string, HttpAgent>());
    return getOrCreate(agents, protocol, () => {
      const agent = agentFor(protocol);
      // The agent of a disconnected caller must not keep idle connections.
      if (caller.destroyed) agent.maxFreeSockets = 0;
      else caller.once('close', () => agent.destroy());
      return agent;
    });
  }

  /** Closes the connections to the sandbox. All others close with their callers' connections. */
  close(): void {
    this.#sandbox.destroy();
  }
}

/**
 * Creates an agent that closes an idle connection when it receives unrequested data. The next call would read that data as
 * its reply.
 */
function agentFor(protocol: string, trust: ConnectionOptions = {}): HttpAgent {
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true, ...trust }) : new HttpAgent({ keepAlive: true });
  const [keep, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)];
  const onUnrequested = function (this: Duplex) {
    this.destroy();
  };
  agent.keepSocketAlive = (socket) => {
    if (socket.readableLength > 0) return false;
    socket.on('data', onUnrequested);
    return keep(socket);
  };
  agent.reuseSocket = (socket, call) => {
    socket.off('data', onUnrequested);
    reuse(socket, call);
  };
  return agent;
}

/**
 * Returns the headers of a forwarded request: its own, `X-Forwarded-For`, `Via`, and the framing of the body. `host` is
 * the name of the operator's own server. The caller's `Host` is forwarded as `X-Forwarded-Host`.
 */
function onwardHeaders(incoming: IncomingMessage, host: string | undefined): string[] {
  const { rawHeaders, socket, httpVersion } = incoming;
  let headers = passedHeaders(rawHeaders);
  if (host !== undefined) {
    headers = withAdded(headers, 'X-Forwarded-Host', incoming.headers.host ?? '');
    headers = pairs(headers).flatMap(([name, value]) => [name, name.toLowerCase() === 'host' ? host : value]);
  }
  headers = withAdded(headers, 'X-Forwarded-For', (socket.remoteAddress ?? 'unknown').replace(/^::ffff:/i, ''));
  return withFraming(withAdded(headers, 'Via', `${httpVersion} ${ownName}`), requestFraming(incoming));
}

/** Writes the head of a reply as received from the upstream server, with the proxy's own framing. */
export function writeHead(request: IncomingMessage, response: ServerResponse, reply: IncomingMessage): void {
  const framing = replyFraming(reply, request);
  response.sendDate = false;
  const headers = withFraming(passedHeaders(reply.rawHeaders), framing);
  response.writeHead(reply.statusCode ?? 502, reply.statusMessage ?? '', headers);
  // Without a length, the first bytes may arrive at any time.
  if (framing?.[0] !== 'Content-Length') response.flushHeaders();
}

/** Streams the body and the trailers of a reply. If the reply breaks off, the caller's reply breaks off too. */
export function passOn(reply: IncomingMessage, response: ServerResponse): void {
  reply.once('end', () => addTrailers(reply, response));
  flow(reply, response);
}

/** Adds the trailers, if any. They follow the body and contain no framing. */
export function addTrailers(reply: IncomingMessage, response: ServerResponse): void {
  const trailers = withFraming(passedHeaders(reply.rawTrailers), undefined);
  if (trailers.length > 0) response.addTrailers(pairs(trailers));
}

/**
 * Waits at most `milliseconds` for the head of a valid reply. Passes it to `onHead` immediately, or the reason for
 * its absence to `onNone`. `isLost` means that the connection failed before a reply. A later failure ends the reply early.
 */
export function onReply(
  call: ClientRequest,
  milliseconds: number,
  onHead: (reply: IncomingMessage) => void,
  onNone: (why: string, isLost: boolean) => void,
): void {
  let over = false;
  const none = (why: string, isLost = false) => {
    if (over) return;
    end();
    onNone(why, isLost);
    call.destroy();
  };
  const end = () => {
    over = true;
    clearTimeout(timer);
  };
  const timer = setTimeout(() => none(`no response within ${milliseconds / 1000} s`), milliseconds);
  call.once('response', (reply) => {
    const problem = replyProblem(reply);
    if (problem !== undefined) return none(problem);
    end();
    onHead(reply);
  });
  call.on('error', ({ message, code }: NodeJS.ErrnoException) =>
    none(message, code === 'ECONNRESET' || code === 'EPIPE'),
  );
  call.once('upgrade', (_, socket) => {
    socket.destroy();
    none('it switched protocols without being asked');
  });
  call.once('close', () => none('it closed the connection without a response', true));
}

const tooLarge: Body = { kind: 'unseen', why: `it is larger than ${mostCheckedBytes} bytes` };

/** Copies a streamed body, up to the size that is checked. Returns a function that returns the copy. */
export function copyBody(source: IncomingMessage): () => Body {
  let chunks: Buffer[] = [];
  let length = 0;
  source.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= mostCheckedBytes) chunks.push(chunk);
    else chunks = [];
  });
  return () => (length > mostCheckedBytes ? tooLarge : { kind: 'bytes', bytes: Buffer.concat(chunks) });
}

/** The buffered start of a body. `ended` is true if it is the whole body. */
interface BodyStart {
  readonly chunks: readonly Buffer[];
  readonly ended: boolean;
  readonly body: Body;
}

/** Buffers a body until it ends or exceeds the size that is checked. Rejects if it breaks off. */
export function hold(source: IncomingMessage): Promise<BodyStart> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const brokenOff = () => reject(new Error('it is incomplete'));
    const finish = (ended: boolean) => {
      source.off('data', take).off('close', brokenOff);
      resolve({ chunks, ended, body: ended ? { kind: 'bytes', bytes: Buffer.concat(chunks) } : tooLarge });
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= mostCheckedBytes) return;
      source.pause();
      finish(false);
    };
    if (source.destroyed && !source.readableEnded) brokenOff();
    source.on('data', take);
    source.once('end', () => finish(true));
    source.once('close', brokenOff);
  });
}

/** Forwards a buffered body: the buffered part, then the rest as it arrives. */
export function release({ chunks, ended }: BodyStart, source: IncomingMessage, target: Writable): void {
  for (const chunk of chunks) target.write(chunk);
  if (ended) target.end();
  else flow(source, target);
}

/** Streams a body unchanged. If it breaks off, the target is destroyed and never completed. */
export function flow(source: IncomingMessage, target: Writable): void {
  const broken = () => {
    if (!source.readableEnded) target.destroy();
  };
  if (source.destroyed) broken();
  source.once('close', broken);
  source.pipe(target);
}
