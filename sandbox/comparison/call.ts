/** Recorded calls for a comparison, and functions that read their JSON. */
import type { CheckedOperation } from '../conformance/contracts.ts';
import type { Exchange, Reply } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import { jsonOf } from '../conformance/statements/parsed-exchange.ts';

/** A recorded call that has a reply, with the contract findings for both. */
export interface RecordedCall {
  /** Position in the recording, starting at 1. */
  readonly number: number;
  readonly exchange: Exchange;
  readonly reply: Reply;
  readonly operation: CheckedOperation;
  readonly findings: readonly Finding[];
}

/** Returns whether the recorded server accepted a call, that is, replied with a status below 400. */
export function isAccepted({ reply }: Pick<RecordedCall, 'reply'>): boolean {
  return reply.status < 400;
}

/** Yields each primitive in a JSON value, with its field name and JSON pointer. */
export function* leavesOf(value: unknown, pointer = ''): Generator<{ name: string; pointer: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) {
    yield { name: pointer.slice(pointer.lastIndexOf('/') + 1), pointer, value };
    return;
  }
  for (const [name, part] of Object.entries(value)) yield* leavesOf(part, `${pointer}/${name}`);
}

/** Returns the customer id in a request's body or query, if any. */
export function customerOf({ exchange }: Pick<RecordedCall, 'exchange'>): string | undefined {
  const query = new URLSearchParams(exchange.path.split('?')[1] ?? '');
  const body = (jsonOf(exchange.request) ?? {}) as Readonly<Record<string, unknown>>;
  const names = ['uid', 'customer_id', 'username'];
  const found = names.map((name) => body[name] ?? query.get(name)).find((uid) => typeof uid === 'string' && uid !== '');
  return typeof found === 'string' ? found : undefined;
}
