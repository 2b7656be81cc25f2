import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { mostCheckedBytes } from '../conformance/decoding.ts';
import type { Body } from '../conformance/exchange.ts';

const tooLarge: Body = { kind: 'unseen', why: `it is larger than ${mostCheckedBytes} bytes` };

/** A copy of a body that passes by, as far as it can be checked. */
export class Copy {
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(source: IncomingMessage) {
    source.on('data', (chunk: Buffer) => {
      this.#length += chunk.length;
      if (this.#length <= mostCheckedBytes) this.#chunks.push(chunk);
      else this.#chunks = [];
    });
  }

  get body(): Body {
    return this.#length > mostCheckedBytes ? tooLarge : { kind: 'bytes', bytes: joined(this.#chunks) };
  }
}

/** Chunks as one; most bodies come in one. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

/** The buffered beginning of a body; `ended` if it is the whole body. */
interface BodyStart {
  readonly chunks: readonly Buffer[];
  readonly ended: boolean;
  readonly body: Body;
}

/** Buffers a body until it has ended or is larger than what is checked. Rejects when it breaks off. */
export function hold(source: IncomingMessage): Promise<BodyStart> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const brokenOff = () => reject(new Error('it is incomplete'));
    const finish = (ended: boolean) => {
      source.off('data', take).off('close', brokenOff);
      resolve({ chunks, ended, body: ended ? { kind: 'bytes', bytes: joined(chunks) } : tooLarge });
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

/** Sends a buffered body on: the buffered part, then the rest as it arrives. */
export function release({ chunks, ended }: BodyStart, source: IncomingMessage, target: Writable): void {
  for (const chunk of chunks) target.write(chunk);
  if (ended) target.end();
  else flow(source, target);
}

/** Streams a body unchanged. If it breaks off, it breaks off on the other side too: it is never completed. */
export function flow(source: IncomingMessage, target: Writable): void {
  const broken = () => {
    if (!source.readableEnded) target.destroy();
  };
  if (source.destroyed) broken();
  source.once('close', broken);
  source.pipe(target);
}
