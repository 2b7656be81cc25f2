import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable, Writable } from 'node:stream';
import { trustOnly } from '../runtime/connecting.ts';
import { mostCheckedBytes } from './decoding.ts';
import type { Body } from './exchange.ts';

/** Headers that concern one connection only (RFC 9110, 7.6.1), and the one that Node has answered for us. */
const hopByHop = new Set(
  'connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade expect'.split(
    ' ',
  ),
);

/** Connections to the servers behind the proxy, kept open between calls. */
export class Connections {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });
  readonly #sandbox: HttpsAgent;
  readonly #sandboxOrigin: string;

  /** `certificate`, in PEM, is the one that the sandbox is known by; left out, it must be valid as any other. */
  constructor({ origin }: URL, certificate?: string) {
    this.#sandboxOrigin = origin;
    this.#sandbox =
      certificate === undefined ? this.#https : new HttpsAgent({ keepAlive: true, ...trustOnly(certificate) });
  }

  /** Begins a call with the head of `incoming`; its body is the caller's to write. `milliseconds` bounds the wait for a reply. */
  call(incoming: IncomingMessage, base: URL, path: string, milliseconds: number): ClientRequest {
    const secure = base.protocol === 'https:';
    const headers = endToEnd(incoming.rawHeaders);
    for (let at = 0; at < headers.length; at += 2) {
      if (headers[at]?.toLowerCase() === 'host') headers[at + 1] = base.host;
    }
    if (incoming.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
    const call = (secure ? httpsRequest : httpRequest)({
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      method: incoming.method,
      path: `${base.pathname.replace(/\/$/, '')}${path}`,
      headers: headers as never,
      setHost: false,
      agent: secure ? this.#secured(base) : this.#http,
    });
    call.setTimeout(milliseconds, () => call.destroy(new Error(`no reply within ${milliseconds / 1000} s`)));
    call.once('response', () => call.setTimeout(0));
    return call;
  }

  #secured({ origin }: URL): HttpsAgent {
    return origin === this.#sandboxOrigin ? this.#sandbox : this.#https;
  }

  close(): void {
    for (const agent of [this.#http, this.#https, this.#sandbox]) agent.destroy();
  }
}

/** Pairs of raw headers. */
export function pairs(raw: readonly string[]): [name: string, value: string][] {
  const found: [name: string, value: string][] = [];
  for (let at = 0; at < raw.length; at += 2) found.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return found;
}

/** The headers that go on to the other side, as they were written: names and values in turn. */
function endToEnd(raw: readonly string[]): string[] {
  const names = raw.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : ''));
  const named = names.flatMap((name, at) =>
    name === 'connection' ? (raw[at + 1] ?? '').toLowerCase().split(/\s*,\s*/) : [],
  );
  return raw.filter((_, at) => {
    const name = names[at - (at % 2)] ?? '';
    return !hopByHop.has(name) && !named.includes(name);
  });
}

/** Writes the head of a reply as the server behind the proxy wrote it. */
export function writeHead(response: ServerResponse, reply: IncomingMessage): void {
  response.sendDate = false;
  response.writeHead(reply.statusCode ?? 502, reply.statusMessage ?? '', endToEnd(reply.rawHeaders));
  // Without a length nobody knows when the first bytes come.
  if (reply.headers['content-length'] === undefined) response.flushHeaders();
}

/** Passes a reply's body on as it comes, trailers included; a reply that breaks off breaks off for the caller too. */
export function passOn(reply: IncomingMessage, response: ServerResponse): void {
  reply.once('end', () => addTrailers(reply, response));
  reply.once('error', () => response.destroy());
  reply.pipe(response);
}

/** Trailers, where there are any. They are known once the body has ended. */
export function addTrailers(reply: IncomingMessage, response: ServerResponse): void {
  if (reply.rawTrailers.length > 0) response.addTrailers(pairs(reply.rawTrailers));
}

const tooLarge: Body = { kind: 'unseen', why: `it has more than ${mostCheckedBytes} bytes` };

/** A copy of a body that passes by, as far as it can be checked. */
export class Copy {
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(source: Readable) {
    source.on('data', (chunk: Buffer) => {
      this.#length += chunk.length;
      if (this.#length <= mostCheckedBytes) this.#chunks.push(chunk);
      else this.#chunks = [];
    });
  }

  get body(): Body {
    return this.#length > mostCheckedBytes ? tooLarge : { kind: 'bytes', bytes: Buffer.concat(this.#chunks) };
  }
}

/** The beginning of a body that is held back; `ended` when that is all of it. */
export interface Held {
  readonly chunks: readonly Buffer[];
  readonly ended: boolean;
  readonly body: Body;
}

/** Holds a body back until it has ended or is larger than what is checked. Rejects when it breaks off. */
export function hold(source: Readable): Promise<Held> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (ended: boolean) => {
      source.off('data', take);
      source.off('error', reject);
      resolve({ chunks, ended, body: ended ? { kind: 'bytes', bytes: Buffer.concat(chunks) } : tooLarge });
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= mostCheckedBytes) return;
      source.pause();
      finish(false);
    };
    source.on('data', take);
    source.once('end', () => finish(true));
    source.once('error', reject);
  });
}

/** Lets a held body go: what was held, then the rest as it comes. */
export function release({ chunks, ended }: Held, source: Readable, target: Writable): void {
  for (const chunk of chunks) target.write(chunk);
  if (ended) target.end();
  else source.pipe(target);
}
