/** What the activity log of a sandbox says: of the server's calls to it, and of the calls that its platform sent to the server. */
import { createSandboxClient, type SandboxClient } from '../../generated/index.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { registry } from '../apis/registry.ts';
import type { Answer } from './answer.ts';
import type { ProbeContext } from './probe-context.ts';
import { type Input, Interrupted, MissingInput, NotApplicable } from './verdict.ts';

type Schemas = components['schemas'];
export type LogEntry = Schemas['ActivityList']['items'][number];
export type CallerEntry = Schemas['ActivityCall'];

/** Pages of the log that are read at most; it keeps 10,000 entries, in pages of 1 MiB. */
const mostPages = 100;

/** Calls that the server made to the platform. */
export interface CallerLog {
  readonly control: SandboxClient;
  /** The log since the server was connected, oldest first. */
  readonly entries: readonly LogEntry[];
  /** The calls of others to the platform since the server was connected, oldest first; those that met a fault are left out. */
  readonly calls: readonly CallerEntry[];
}

/**
 * Reads the log. Rejects with MissingInput if the sandbox cannot be read, and with NotApplicable if there is no call to its
 * platform.
 */
export async function callerLog(probing: ProbeContext): Promise<CallerLog> {
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

/** Whether another server was named as the client: calls before it are not of this server. */
function isConnection(entry: LogEntry): boolean {
  if (entry.kind !== 'state' || entry.event !== 'settings.changed') return false;
  const { changed } = entry.detail as { readonly changed?: readonly string[] };
  return changed?.includes('client_url') === true;
}

/** The control API of the sandbox that the server calls. Throws MissingInput where none was given. */
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

/** Whether a program elsewhere called the platform, and met no fault that was set there. */
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

/** The calls of an operation. */
export function callsOf({ calls }: CallerLog, ...operations: readonly string[]): readonly CallerEntry[] {
  return calls.filter(({ operation }) => operations.includes(operation ?? ''));
}

/** The calls of the platform to the server, oldest first. */
export function callsToServer(entries: readonly LogEntry[]): readonly CallerEntry[] {
  return entries.filter((entry) => entry.kind === 'call_out' && entry.party === 'client') as CallerEntry[];
}

/** How many calls reached the server: a fault keeps some back, and sends others twice. */
export function countReached(calls: readonly CallerEntry[]): number {
  return calls.reduce((sum, call) => sum + timesSent(call), 0);
}

function timesSent({ notices }: CallerEntry): number {
  const faults = notices.flatMap((notice) => /^fault \S+: (\w+)$/.exec(notice)?.[1] ?? []);
  if (faults.some((fault) => fault === 'status' || fault === 'reset')) return 0;
  return faults.includes('duplicate') ? 2 : 1;
}

/** Whether the server accepted a call, or would have without the fault that was injected into it. */
export function wasTaken({ status, notices }: CallerEntry): boolean {
  return (status !== null && status >= 200 && status < 300) || notices.some((notice) => notice.startsWith('fault '));
}

/** Faults that leave the platform without the server's answer. */
const withoutAnswer = /^fault \S+: (status|reset|lost_reply|malformed)$/;

/** Whether no answer came, or one in a form that the platform cannot believe, and no fault is why. */
export function isUnheard({ status, notices }: CallerEntry): boolean {
  if (notices.some((notice) => withoutAnswer.test(notice))) return false;
  const said = notices.filter((notice) => !/^(fault|the repeated call) /.test(notice));
  return status === null || (status >= 200 && status < 300 && said.length > 0);
}

/** Codes of redemptions that were begun. Each is recorded before its deduction is requested. */
export function codesBegun(entries: readonly LogEntry[]): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'state' && entry.event === 'order.placing' ? [...entry.redeem_codes] : [],
  );
}

/** The calls as a failure shows them; what the log masks stays masked. */
export function shownCalls(
  calls: readonly CallerEntry[],
  { client_url, service_token = '' }: Input,
): readonly Answer[] {
  return calls.map(({ method, url, request, status, reply, notices }) => ({
    call: {
      method,
      path: url.slice(client_url.replace(/\/$/, '').length),
      headers: [
        ['authorization', `Bearer ${service_token}`],
        ...(request === null ? [] : [['content-type', 'application/json'] as const]),
      ],
      body: request === null ? undefined : Buffer.from(JSON.stringify(request)),
    },
    status: status ?? undefined,
    headers: [],
    body: Buffer.from(reply === null ? '' : JSON.stringify(reply)),
    problem: status === null ? 'broken' : undefined,
    detail: status === null ? notices.join('; ') : undefined,
    findings: [],
  }));
}
