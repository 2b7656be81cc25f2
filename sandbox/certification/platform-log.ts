/** Reads the activity log of a sandbox: the server's calls to it, and its platform's calls to the server. */
import { createSandboxClient, type SandboxClient } from '../../generated/index.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { registry } from '../apis/registry.ts';
import type { Answer, Call } from './answer.ts';
import type { ProbeContext } from './probe-context.ts';
import { type Input, Interrupted, MissingInput, NotApplicable } from './verdict.ts';

type Schemas = components['schemas'];
export type LogEntry = Schemas['ActivityList']['items'][number];
export type CallerEntry = Schemas['ActivityCall'];

/** Maximum number of log pages to read. The log stores 10,000 entries, in pages of 1 MiB. */
const mostPages = 100;

/** The part of the log since the server was connected, oldest first. */
export type CallerLog = Awaited<ReturnType<typeof callerLog>>;

/**
 * Reads the log: all entries, and `calls`, the external calls to the platform without an injected fault. Rejects with
 * `MissingInput` if the sandbox is not available, and with `NotApplicable` if the log contains no calls to its platform.
 */
export async function callerLog(probing: ProbeContext) {
  const { sandbox, control } = sandboxControl(probing);
  const entries = await entriesOf(control).catch((error: Error) => {
    if (probing.run.parts.signal.aborted) throw new Interrupted('The run was stopped.');
    throw error instanceof MissingInput
      ? error
      : new MissingInput(`Cannot read the log of the sandbox at ${sandbox.url}: ${error.message}.`, '--sandbox URL');
  });
  const since = entries.slice(entries.findLastIndex(isConnection) + 1);
  const calls = since.filter(isFromOutside);
  if (calls.length === 0)
    throw new NotApplicable(
      `The log contains no calls from the server to the platform${since.length < entries.length ? ' since the server was connected' : ''}.`,
    );
  return { control, entries: since, calls };
}

/** Returns whether an entry changed the client URL. Earlier calls are from a different server. */
function isConnection(entry: LogEntry): boolean {
  if (entry.kind !== 'state' || entry.event !== 'settings.changed') return false;
  const { changed } = entry.detail as { readonly changed?: readonly string[] };
  return changed?.includes('client_url') === true;
}

/** Returns a client for the control API of the sandbox that the server calls. Throws `MissingInput` if none was given. */
export function sandboxControl({ input, run: { parts } }: ProbeContext) {
  const { sandbox } = input;
  if (sandbox === undefined) throw new MissingInput('It requires the sandbox that the server calls.', '--sandbox URL');
  const token = sandbox.admin_token;
  const control = createSandboxClient({
    baseUrl: `${sandbox.url.replace(/\/$/, '')}${registry.sandbox.prefix}`,
    ...(token !== undefined && { token }),
    fetch: (request) => fetch(request, { signal: parts.signal }),
  });
  return { sandbox, control };
}

async function entriesOf(control: SandboxClient): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  let after: number | null = 0;
  for (let page = 0; after !== null && page < mostPages; page += 1) {
    const query: { limit: number; after: number } = { limit: 10_000, after };
    const { data, response } = await control.GET('/activity', { params: { query } });
    if (data === undefined)
      throw new MissingInput(`The sandbox returned ${response.status}. Check the admin token.`, '--admin-token TOKEN');
    entries.push(...data.items);
    after = data.next;
  }
  return entries;
}

/** Returns whether an entry is an external call to the platform without an injected fault. */
function isFromOutside(entry: LogEntry): entry is CallerEntry {
  return (
    entry.kind === 'call_in' &&
    entry.party === 'platform' &&
    entry.operation !== null &&
    entry.url.startsWith(`${registry.rewards.prefix}/`) &&
    entry.caller !== 'sandbox' &&
    !entry.notices.some((notice) => notice.startsWith('fault '))
  );
}

/** Returns the calls of the given operations. */
export function callsOf({ calls }: Pick<CallerLog, 'calls'>, ...operations: readonly string[]): readonly CallerEntry[] {
  return calls.filter(({ operation }) => operations.includes(operation ?? ''));
}

/** Returns the platform's calls to the server, oldest first. */
export function callsToServer(entries: readonly LogEntry[]): readonly CallerEntry[] {
  return entries.filter((entry) => entry.kind === 'call_out' && entry.party === 'client') as CallerEntry[];
}

/** Counts the calls that reached the server. Faults block some calls and duplicate others. */
export function countReached(calls: readonly CallerEntry[]): number {
  const timesSent = ({ notices }: CallerEntry) => {
    const faults = notices.flatMap((notice) => /^fault \S+: (\w+)$/.exec(notice)?.[1] ?? []);
    if (faults.includes('status') || faults.includes('reset')) return 0;
    return faults.includes('duplicate') ? 2 : 1;
  };
  return calls.reduce((sum, call) => sum + timesSent(call), 0);
}

/** Returns whether a call succeeded or had an injected fault. */
export function wasTaken({ status, notices }: CallerEntry): boolean {
  return (status !== null && status >= 200 && status < 300) || notices.some((notice) => notice.startsWith('fault '));
}

/** Notices of faults that prevent the platform from receiving the server's answer. */
const withoutAnswer = /^fault \S+: (status|reset|lost_reply|malformed)$/;

/** Returns whether the platform received no usable answer, and no fault explains it. */
export function isUnheard({ status, notices }: CallerEntry): boolean {
  if (notices.some((notice) => withoutAnswer.test(notice))) return false;
  const said = notices.filter((notice) => !/^(fault|the repeated call) /.test(notice));
  return status === null || (status >= 200 && status < 300 && said.length > 0);
}

/** Returns the codes of started redemptions. The log records each before the platform requests its deduction. */
export function codesBegun(entries: readonly LogEntry[]): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'state' && entry.event === 'order.placing' ? entry.redeem_codes : [],
  );
}

/** Converts calls to evidence for a failure. Values masked in the log stay masked. */
export function shownCalls(calls: readonly CallerEntry[], { client_url, service_token = '' }: Input) {
  return calls.map(({ method, url, request, status, reply, notices }) => {
    const type = request === null ? [] : [['content-type', 'application/json'] as const];
    const headers = [['authorization', `Bearer ${service_token}`] as const, ...type];
    const body = request === null ? undefined : Buffer.from(JSON.stringify(request));
    const call = { method, path: url.slice(client_url.replace(/\/$/, '').length), headers, body };
    return loggedAnswer(call, status, reply === null ? '' : JSON.stringify(reply), notices.join('; '));
  });
}

/** Converts a call from the sandbox's log to evidence. `reason` says why `status` is `null`. */
export function loggedAnswer(call: Call, status: number | null, body: string, reason: string | undefined): Answer {
  const lost = status === null ? ({ problem: 'broken', detail: reason } as const) : undefined;
  return {
    call,
    status: status ?? undefined,
    headers: [],
    body: Buffer.from(body),
    findings: [],
    ...(lost ?? { problem: undefined, detail: undefined }),
  };
}
