import type { CallEntry, CallFinding } from '../activity-log/activity-entry.ts';
import { isCut } from '../activity-log/entry-size.ts';
import { loadContract } from '../contract/schemas.ts';
import type { Verdict } from './checker.ts';
import type { CheckedOperation, ContractSet } from './contracts.ts';
import { type Body, type Exchange, isStatus, serverOf } from './exchange.ts';
import { cut, type Finding } from './finding.ts';

/** Most calls that are remembered as seen by the receiver. */
const mostRemembered = 10_000;
/** Most characters of what such a call is remembered by. */
const mostCharacters = 200;

/** Operations by their operationId, each with the server that has it. */
export type Operations = ReadonlyMap<
  string,
  { readonly server: Exchange['server']; readonly operation: CheckedOperation }
>;

/** The operations of all contracts. */
export function operationsOf(contracts: ContractSet): Operations {
  const servers = Object.entries(contracts) as [Exchange['server'], readonly CheckedOperation[]][];
  return new Map(
    servers.flatMap(([server, operations]) =>
      operations.map((operation) => [operation.operationId, { server, operation }] as const),
    ),
  );
}

/**
 * Reads entries of the activity log, as `GET /sandbox/v1/activity` exports them. A call between two parties of the
 * sandbox is there twice, as received and as sent, and is read once. The log has headers and bodies masked and cut: the
 * complete call exists only at the moment when it is logged.
 */
export class ActivityEntries {
  readonly #operations: Operations;
  /** Received calls whose entry as sent may still follow, with how often. */
  readonly #received = new Map<string, number>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** An entry as an exchange; undefined for a change of state, or a call that was read already. Anybody may have written it. */
  read(value: unknown): Exchange | 'outside' | 'unreadable' | undefined {
    if ((value as { readonly kind?: unknown } | null)?.kind === 'state') return undefined;
    if (!isCall(value)) return 'unreadable';
    const entry = value;
    const { url } = entry;
    // The called address is lost.
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
    this.#received.set(key, (this.#received.get(key) ?? 0) + 1);
    if (this.#received.size <= mostRemembered) return;
    const [oldest = ''] = this.#received.keys();
    this.#received.delete(oldest);
  }
}

type Read = Partial<Omit<CallEntry, 'kind'>> & Pick<CallEntry, 'url' | 'method'> & { readonly kind?: unknown };

/** When a call began and had ended, in the time of the sandbox. */
function spanOf({ began, at }: Read): Exchange['span'] {
  const [start, end] = [Date.parse(String(began)), Date.parse(String(at))];
  return start <= end ? { start, end } : undefined;
}

/** Whether a value has what is read of a call, each of its kind. */
function isCall(value: unknown): value is Read {
  const { url, method, trace, operation, status } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof url !== 'string' || typeof method !== 'string') return false;
  if (typeof (trace ?? '') !== 'string' || typeof (operation ?? '') !== 'string') return false;
  return status == null || isStatus(status);
}

/** Whether a fault of the sandbox replaces the reply of the other side's server in a call (OP-115). */
function isInjected({ kind, notices }: Read): boolean {
  return (
    kind === 'call_out' &&
    Array.isArray(notices) &&
    notices.some((notice) => typeof notice === 'string' && injected.test(notice))
  );
}

const injected = /^fault \S+: (status|malformed)$/;
export const notRead: Body = { kind: 'unseen', why: 'the call was refused before its body was read' };

function bodyOf(value: unknown): Body {
  const omitted = (value as { readonly omitted?: unknown } | null)?.omitted;
  if (typeof omitted === 'string') return { kind: 'unseen', why: `the activity log omits content with ${omitted}` };
  return { kind: 'value', value: value ?? null };
}

/** Most findings of one entry that are read, and most characters of an address, a pointer or a file. */
const most = { findings: 20, characters: 1000 };

/**
 * The verdict on a call of an exported log, with what was found when it was logged: the export has no headers, and masks
 * what was checked then. Anybody may have written the export.
 */
export function withRecorded(verdict: Verdict, exchange: Exchange, entry: unknown): Verdict {
  const { findings } = (entry ?? {}) as { readonly findings?: unknown };
  if (!Array.isArray(findings)) return verdict;
  const check = loadContract('sandbox').schemas.check('/components/schemas/CallFinding');
  const recorded = (findings.slice(0, most.findings) as readonly CallFinding[])
    .filter((found) => check(found) === undefined)
    .map((found) => recordedFinding(found, verdict, exchange));
  // A message with recorded findings was validated whole: what is masked now adds nothing.
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
