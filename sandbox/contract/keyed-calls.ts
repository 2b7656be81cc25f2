import { createHash } from 'node:crypto';
import type { IdempotencyStore } from './api.ts';
import type { KeepingTx, KeptReply, WrittenReply } from './types.ts';

/** The id and fingerprint of a reply to store, and the store for it. */
export interface Keeping {
  readonly id: string;
  readonly fingerprint: string;
  readonly store: IdempotencyStore;
}

/** The parts of a call that idempotency depends on. */
interface KeyedCall {
  /** The id of the stored reply, composed of operation, caller and key. */
  readonly id: string;
  readonly raw: Buffer | undefined;
  readonly notices: string[];
}

/** Runs the first call with a key. Replays its reply to repeats, and refuses a repeat with a different body (OP-20). */
export async function onceByKey(
  { id, raw, notices }: KeyedCall,
  store: IdempotencyStore,
  run: (keeping: Keeping) => Promise<WrittenReply>,
): Promise<WrittenReply | { readonly kind: 'idempotency_conflict' }> {
  const { underWay } = store;
  const fingerprint = createHash('sha256')
    .update(raw ?? '')
    .digest('hex');
  const earlier = store.get(id) ?? underWay.get(id);
  if (earlier !== undefined) {
    notices.push('repeat of an idempotency key');
    if (earlier.fingerprint !== fingerprint) return { kind: 'idempotency_conflict' };
    return replay('written' in earlier ? await earlier.written : fromKept(earlier));
  }
  const written = run({ id, fingerprint, store });
  underWay.set(id, { fingerprint, written });
  try {
    return await written;
  } finally {
    underWay.delete(id);
  }
}

/** Stores a reply in the transaction that also stores its effect. */
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
