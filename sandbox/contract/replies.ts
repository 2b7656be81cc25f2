import type { Readable } from 'node:stream';
import type { Watch } from './api.ts';
import type { DocumentedReply, Operation } from './document.ts';
import type { Envelope } from './envelopes.ts';
import type { Check, Schemas } from './schemas.ts';
import type { Answer } from './types.ts';

/** A reply ready to be written. `text` is the body as it goes over the wire, serialised once; `body` is what it says. */
export interface Written {
  readonly status: number;
  readonly text: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** What the reply consists of in place of a text: server-sent events, as they come. */
  readonly stream?: Readable;
}

type AnyFailure = { readonly kind: string };

/** Turns what a handler answers into bytes, and holds it against the contract first. */
export class Replies {
  readonly #operationId: string;
  readonly #envelope: Envelope<AnyFailure>;
  readonly #watch: Watch;
  readonly #documented: ReadonlyMap<number, DocumentedReply & { readonly check: Check | undefined }>;

  constructor(operation: Operation, envelope: Envelope<AnyFailure>, schemas: Schemas, watch: Watch) {
    this.#operationId = operation.operationId;
    this.#envelope = envelope;
    this.#watch = watch;
    this.#documented = new Map(
      [...operation.replies].map(([status, reply]) => [
        status,
        { ...reply, check: reply.schema === undefined ? undefined : schemas.check(reply.schema) },
      ]),
    );
  }

  /** A handler's answer: a reply as it is, a failure in the API's envelope. */
  answer(answer: Answer): Written {
    if ('kind' in answer) return this.refuse(answer);
    return 'stream' in answer
      ? this.#streamed(answer.status, answer.stream)
      : this.#checked(answer.status, answer.body, {});
  }

  /** A stream, where the contract has one under its status. */
  #streamed(status: number, stream: Readable): Written {
    if (this.#documented.get(status)?.stream) {
      return { status, text: null, body: null, headers: { 'Cache-Control': 'no-store' }, stream };
    }
    stream.destroy();
    return this.#broken(status, { where: '', problem: `a stream is not documented under ${status}` });
  }

  /** A failure in the API's envelope. */
  refuse(failure: AnyFailure): Written {
    const { status, body, headers } = this.#envelope.render(failure);
    return this.#checked(status, body, headers, failure.kind);
  }

  /** A reply that breaks the contract is reported and becomes the documented internal error. */
  #checked(status: number, body: unknown, headers: Readonly<Record<string, string>>, kind?: string): Written {
    const found = this.#violation(status, body, kind);
    if (found === undefined) return { status, body, headers, text: body === undefined ? null : JSON.stringify(body) };
    return this.#broken(status, found);
  }

  #broken(status: number, found: { where: string; problem: string }): Written {
    this.#watch.violation({ operationId: this.#operationId, status, ...found });
    const failure = this.#envelope.render({ kind: 'internal_error' });
    return { ...failure, text: JSON.stringify(failure.body) };
  }

  #violation(status: number, body: unknown, kind: string | undefined): { where: string; problem: string } | undefined {
    const documented = this.#documented.get(status);
    if (documented === undefined) return { where: '', problem: `status ${status} is not documented` };
    if (kind !== undefined && !documented.examples.has(kind)) {
      return { where: '', problem: `the error ${kind} is not documented under ${status}` };
    }
    if (documented.stream) return { where: '', problem: `a stream is documented under ${status}` };
    if (documented.check === undefined) {
      return body === undefined ? undefined : { where: '', problem: `a body is not documented under ${status}` };
    }
    return documented.check(body);
  }
}
