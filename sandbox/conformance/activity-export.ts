import type { CallEntry } from '../runtime/activity-entry.ts';
import { isCut } from '../runtime/entry-size.ts';
import type { CheckedOperation, ContractSet } from './contracts.ts';
import { type Body, type Exchange, isStatus, serverOf } from './exchange.ts';

/** Most calls that are remembered as seen on the side of whoever took them. */
const mostRemembered = 10_000;
/** Most characters of what such a call is remembered by. */
const mostCharacters = 200;

/**
 * Reads entries of the activity log, as `GET /sandbox/v1/activity` exports them. A call between two parties of the
 * sandbox stands there twice, as taken and as made, and is read once. The log keeps no headers, and bodies masked.
 */
export class ActivityEntries {
  readonly #operations = new Map<
    string,
    { readonly server: Exchange['server']; readonly operation: CheckedOperation }
  >();
  /** Calls that were taken and may still be met as made, with how often. */
  readonly #taken = new Map<string, number>();

  constructor(contracts: ContractSet) {
    for (const [server, operations] of Object.entries(contracts) as [
      Exchange['server'],
      readonly CheckedOperation[],
    ][]) {
      for (const operation of operations) this.#operations.set(operation.operationId, { server, operation });
    }
  }

  /**
   * An entry as an exchange; undefined for a change of state, or a call that was read already. Anybody may have written
   * it.
   */
  read(value: unknown): Exchange | 'outside' | 'unreadable' | undefined {
    if ((value as { readonly kind?: unknown } | null)?.kind === 'state') return undefined;
    if (!isCall(value)) return 'unreadable';
    const entry = value;
    // What was called is not known any more.
    if (isCut(entry.url)) return 'outside';
    const key = `${entry.trace} ${entry.operation}`.slice(0, mostCharacters);
    if (entry.kind === 'call_in') {
      this.#remember(key);
      const served = serverOf(entry.url);
      return served === undefined ? 'outside' : this.#exchange(entry, served.server, served.below);
    }
    const count = this.#taken.get(key) ?? 0;
    if (count > 0) {
      this.#taken.set(key, count - 1);
      return undefined;
    }
    const known = this.#operations.get(entry.operation ?? '');
    if (known === undefined) return 'outside';
    const [, query] = entry.url.split('?');
    return this.#exchange(entry, known.server, `${known.operation.path}${query === undefined ? '' : `?${query}`}`);
  }

  #exchange(entry: Read, server: Exchange['server'], path: string): Exchange {
    const { method, url, request, reply, trace } = entry;
    const status = isInjected(entry) ? undefined : entry.status;
    return {
      server,
      method,
      path,
      url,
      request: { headers: undefined, body: this.#wasRead(entry) ? bodyOf(request) : notRead },
      reply: status === null || status === undefined ? undefined : { status, headers: undefined, body: bodyOf(reply) },
      ...(trace !== undefined && { trace }),
      masked: true,
    };
  }

  /**
   * Whether the log would have the body of a request. A call that is refused for its head, or by a fault, is not read
   * on.
   */
  #wasRead({ operation, status, request }: Partial<Omit<CallEntry, 'kind'>>): boolean {
    const refused = (status ?? 500) >= 400;
    return (
      !refused || (request ?? null) !== null || this.#operations.get(operation ?? '')?.operation.body === undefined
    );
  }

  #remember(key: string): void {
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    if (this.#taken.size <= mostRemembered) return;
    const [oldest = ''] = this.#taken.keys();
    this.#taken.delete(oldest);
  }
}

type Read = Partial<Omit<CallEntry, 'kind'>> & Pick<CallEntry, 'url' | 'method'> & { readonly kind?: unknown };

/** Whether a value has what is read of a call, each of its kind. */
function isCall(value: unknown): value is Read {
  const { url, method, trace, operation, status } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const texts = [trace, operation].every((text) => typeof (text ?? '') === 'string');
  return typeof url === 'string' && typeof method === 'string' && texts && (status == null || isStatus(status));
}

/** Whether a fault of the sandbox stands in a call for the reply that the other side's server would have given (OP-115). */
function isInjected({ kind, notices }: Read): boolean {
  return kind === 'call_out' && Array.isArray(notices) && notices.some((notice) => injected.test(String(notice)));
}

const injected = /^fault \S+: (status|malformed)$/;
const notRead: Body = { kind: 'unseen', why: 'the call was refused before its body was read' };

function bodyOf(value: unknown): Body {
  const omitted = (value as { readonly omitted?: unknown } | null)?.omitted;
  if (typeof omitted === 'string') return { kind: 'unseen', why: `the activity log leaves out what has ${omitted}` };
  return { kind: 'value', value: value ?? null };
}
