/** A recorded call as a comparison needs it, and reading its JSON. */
import type { CheckedOperation } from '../conformance/contracts.ts';
import { contentOf } from '../conformance/decoding.ts';
import type { Exchange, Message, Reply } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';

/** A call of a recording with a reply, and what contradicts its contract. */
export interface RecordedCall {
  /** Its place in the recording, from 1. */
  readonly number: number;
  readonly exchange: Exchange;
  readonly reply: Reply;
  readonly operation: CheckedOperation;
  readonly findings: readonly Finding[];
}

/** Whether the recorded server accepted a call. */
export function isAccepted({ reply }: Pick<RecordedCall, 'reply'>): boolean {
  return reply.status < 400;
}

/** The JSON of a message; undefined where it has none that can be looked into. */
export function jsonOf(message: Message): unknown {
  const content = contentOf(message);
  if (content.kind === 'value') return content.value;
  const read = content.kind === 'text' ? content.json() : undefined;
  return read?.excess === undefined ? read?.value : undefined;
}

/** The texts and numbers of a JSON value, each with the name of its field and its JSON pointer. */
export function* leavesOf(value: unknown, pointer = ''): Generator<{ name: string; pointer: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) {
    yield { name: pointer.slice(pointer.lastIndexOf('/') + 1), pointer, value };
    return;
  }
  for (const [name, part] of Object.entries(value)) yield* leavesOf(part, `${pointer}/${name}`);
}

/** The customer that a request is about. */
export function customerOf({ exchange }: Pick<RecordedCall, 'exchange'>): string | undefined {
  const query = new URLSearchParams(exchange.path.split('?')[1] ?? '');
  const body = (jsonOf(exchange.request) ?? {}) as Readonly<Record<string, unknown>>;
  const names = ['uid', 'customer_id', 'username'];
  const found = names.map((name) => body[name] ?? query.get(name)).find((uid) => typeof uid === 'string' && uid !== '');
  return typeof found === 'string' ? found : undefined;
}
