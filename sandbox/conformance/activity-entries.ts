import type { CallEntry, CallFinding } from '../activity-log/activity-entry.ts';
import { isCut } from '../activity-log/entry-size.ts';
import { loadContract } from '../contract/schemas.ts';
import type { Verdict } from './checker.ts';
import type { Operations } from './contracts.ts';
import { type Body, type Exchange, isStatus, serverOf } from './exchange.ts';
import { cut, type Finding } from './finding.ts';

/** Maximum number of received calls that wait for their matching sent entry. */
const mostRemembered = 10_000;
/** Maximum length of the key of such a call, in characters. */
const mostCharacters = 200;

/**
 * Reads activity log entries, as exported by `GET /sandbox/v1/activity`. A call between two parties of the sandbox appears twice,
 * as received and as sent, and is read once. The log masks and cuts headers and bodies, so the complete call is available only when
 * it is logged.
 */
export class ActivityEntries {
  readonly #operations: Operations;
  /** Number of received calls, by key, whose sent entry may still follow. */
  readonly #received = new Map<string, number>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * Converts an entry to an exchange. Returns `undefined` for a state change, or for a call that was already read. The entry is
   * untrusted input.
   */
  read(entry: unknown): Exchange | 'outside' | 'unreadable' | undefined {
    if ((entry as { readonly kind?: unknown } | null)?.kind === 'state') return undefined;
    if (!isCall(entry)) return 'unreadable';
    const { url } = entry;
    // The full address is no longer known.
    if (isCut(url)) return 'outside';
    const key = `${entry.trace} ${entry.operation}`.slice(0, mostCharacters);
    if (entry.kind === 'call_in') {
      this.#remember(key);
      const served = serverOf(url);
      return served === undefined ? 'outside' : this.#exchange(entry, served.server, served.below);
    }
    const count = this.#received.get(key) ?? 0;
    if (count > 0) {
      this.#received.set(key, count - 1);
      return undefined;
    }
    const target = this.#operations.get(entry.operation ?? '');
    if (target === undefined) return 'outside';
    const [, query] = url.split('?');
    const path = `${target.operation.path}${query === undefined ? '' : `?${query}`}`;
    return this.#exchange(entry, target.server, path);
  }

  #exchange(entry: Read, server: Exchange['server'], path: string): Exchange {
    const { method, url, request, reply, trace, request_headers: headers } = entry;
    const about = { server, method, path, url, ...(trace !== undefined && { trace }) };
    const status = isInjected(entry) ? undefined : entry.status;
    return {
      ...about,
      request: { headers: undefined, body: this.#wasRead(entry) ? bodyOf(request) : notRead },
      reply: status === null || status === undefined ? undefined : { status, headers: undefined, body: bodyOf(reply) },
      masked: true,
      ...(headers && { headerNames: Object.keys(headers) }),
      span: spanOf(entry),
    };
  }

  /**
   * Returns whether the log would contain a request's body. The sandbox does not read the body of a call that it refuses because of
   * its headers or a fault.
   */
  #wasRead({ operation, status, request }: Partial<Omit<CallEntry, 'kind'>>): boolean {
    if ((status ?? 500) < 400 || (request ?? null) !== null) return true;
    return this.#operations.get(operation ?? '')?.operation.body === undefined;
  }

  #remember(key: string): void {
    this.#received.set(key, (this.#received.get(key) ?? 0) + 1);
    if (this.#received.size <= mostRemembered) return;
    const [oldest = ''] = this.#received.keys();
    this.#received.delete(oldest);
  }
}

type Read = Partial<Omit<CallEntry, 'kind'>> & Pick<CallEntry, 'url' | 'method'> & { readonly kind?: unknown };

/** Returns when a call started and ended, in sandbox time. */
function spanOf({ began, at }: Read): Exchange['span'] {
  const [start, end] = [Date.parse(String(began)), Date.parse(String(at))];
  return start <= end ? { start, end } : undefined;
}

/** Returns whether a value has the fields that are read from a call, each with the expected type. */
function isCall(value: unknown): value is Read {
  const { url, method, trace, operation, status } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof url !== 'string' || typeof method !== 'string') return false;
  if (typeof (trace ?? '') !== 'string' || typeof (operation ?? '') !== 'string') return false;
  return status == null || isStatus(status);
}

/** Returns whether a sandbox fault replaced the reply from the other party's server (OP-115). */
function isInjected({ kind, notices }: Read): boolean {
  const all: readonly unknown[] = kind === 'call_out' && Array.isArray(notices) ? notices : [];
  return all.some((notice) => typeof notice === 'string' && injected.test(notice));
}

const injected = /^fault \S+: (status|malformed)$/;
export const notRead: Body = { kind: 'unseen', why: 'the call was refused before its body was read' };

function bodyOf(value: unknown): Body {
  const omitted = (value as { readonly omitted?: unknown } | null)?.omitted;
  if (typeof omitted === 'string') return { kind: 'unseen', why: `the activity log omits content with ${omitted}` };
  return { kind: 'value', value: value ?? null };
}

/** Maximum number of findings read from one entry, and maximum length of an address, pointer or file name, in characters. */
const most = { findings: 20, characters: 1000 };

/**
 * Returns the verdict on an exported call, including the findings from when it was logged. The export has no headers, and masks
 * values that were checked then. It is untrusted input.
 */
export function withRecorded(verdict: Verdict, exchange: Exchange, entry: unknown): Verdict {
  const { findings } = (entry ?? {}) as { readonly findings?: unknown };
  if (!Array.isArray(findings)) return verdict;
  const check = loadContract('sandbox').schemas.check('/components/schemas/CallFinding');
  const recorded = (findings.slice(0, most.findings) as readonly CallFinding[])
    .filter((found) => check(found) === undefined)
    .map((found) => recordedFinding(found, verdict, exchange));
  // A message with recorded findings was fully validated before masking, so new findings on it add nothing.
  const validated = new Set(recorded.map(({ direction }) => direction));
  const others = verdict.findings.filter(({ direction }) => !validated.has(direction));
  return { ...verdict, findings: [...recorded, ...others] };
}

function recordedFinding(found: CallFinding, { operation }: Verdict, { method, url, reply, trace }: Exchange): Finding {
  const { api, pointer, expected, actual, contract } = found;
  return {
    ...found,
    api: cut(api),
    pointer: cut(pointer, most.characters),
    expected: cut(expected, most.characters),
    actual: cut(actual, most.characters),
    contract: { ...contract, file: cut(contract.file, most.characters) },
    operation: operation?.operationId ?? null,
    method: cut(method),
    url: cut(url, most.characters),
    status: reply?.status ?? null,
    trace: trace === undefined ? null : cut(trace),
    times: 1,
  };
}
