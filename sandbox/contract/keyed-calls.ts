import { createHash } from 'node:crypto';
import type { IdempotencyStore } from './api.ts';
import type { Replies, WrittenReply } from './replies.ts';
import type { KeepingTx, KeptReply } from './types.ts';

/** The key of a stored reply, and its collection. */
export interface Keeping {
  readonly id: string;
  readonly fingerprint: string;
  readonly store: IdempotencyStore;
}

/** What of a call counts for its key: whose it is, and what was sent. */
interface KeyedCall {
  readonly key: string;
  /** Only this caller gets the stored reply. */
  readonly identity: string;
  readonly raw: Buffer | undefined;
  readonly notices: string[];
}

/** The calls of one operation that carry an idempotency key (OP-20). */
export class KeyedCalls {
  readonly #operationId: string;
  readonly #replies: Pick<Replies, 'refuse'>;
  /** The calls in progress, so that two concurrent ones have one effect. */
  readonly #underWay = new Map<string, { readonly fingerprint: string; readonly written: Promise<WrittenReply> }>();

  constructor(operationId: string, replies: Pick<Replies, 'refuse'>) {
    this.#operationId = operationId;
    this.#replies = replies;
  }

  /** Runs a call that is the first with its key; repeats the reply of an earlier one, or refuses another body. */
  async once(
    { key, identity, raw, notices }: KeyedCall,
    store: IdempotencyStore,
    run: (keeping: Keeping) => Promise<WrittenReply>,
  ): Promise<WrittenReply> {
    // Encoded as a list: any part may hold whatever would part them.
    const id = JSON.stringify([this.#operationId, identity, key]);
    const fingerprint = createHash('sha256')
      .update(raw ?? '')
      .digest('hex');
    const earlier = store.get(id) ?? this.#underWay.get(id);
    if (earlier !== undefined) {
      notices.push('repeat of an idempotency key');
      if (earlier.fingerprint !== fingerprint) return this.#replies.refuse({ kind: 'idempotency_conflict' });
      return replay('written' in earlier ? await earlier.written : fromKept(earlier));
    }
    const written = run({ id, fingerprint, store });
    this.#underWay.set(id, { fingerprint, written });
    try {
      return await written;
    } finally {
      this.#underWay.delete(id);
    }
  }
}

/** Keeps a reply in the transaction of its effect. */
export function keepReply(tx: KeepingTx, { id, fingerprint, store }: Keeping, written: WrittenReply): void {
  store.keep(tx, id, toKeep(written, fingerprint));
}

function toKeep(
  { status, text, type, headers: { Location: location, 'X-Problem': problem } }: WrittenReply,
  fingerprint: string,
): Omit<KeptReply, 'at'> {
  const headers = { ...(location !== undefined && { location }), ...(problem !== undefined && { problem }) };
  return { fingerprint, status, text, ...(type !== undefined && { type }), ...headers };
}

function fromKept({ status, text, type, location, problem }: KeptReply): WrittenReply {
  const headers = {
    ...(location !== undefined && { Location: location }),
    ...(problem !== undefined && { 'X-Problem': problem }),
  };
  if (type !== undefined) return { status, text, type, body: null, headers };
  return { status, text, body: text === null ? undefined : JSON.parse(text), headers };
}

function replay(written: WrittenReply): WrittenReply {
  return { ...written, headers: { ...written.headers, 'Idempotent-Replayed': 'true' } };
}
