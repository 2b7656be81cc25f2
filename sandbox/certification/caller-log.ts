/** What the server did at a sandbox that it calls: the sandbox's activity log, read through its control API. */
import { createSandboxClient, type SandboxClient } from '../../generated/index.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { registry } from '../apis/registry.ts';
import type { ProbeContext } from './probe-context.ts';
import { Interrupted, MissingInput, NotApplicable } from './verdict.ts';

type Schemas = components['schemas'];
export type LogEntry = Schemas['ActivityList']['items'][number];
export type CallerEntry = Schemas['ActivityCall'];

/** Pages of the log that are read at most; it keeps 10,000 entries, in pages of 1 MiB. */
const mostPages = 100;

/** Calls that the server made to the platform. */
export interface CallerLog {
  readonly control: SandboxClient;
  /** The whole log, oldest first. */
  readonly entries: readonly LogEntry[];
  /** The calls of others to the platform, oldest first; those that met a fault are left out. */
  readonly calls: readonly CallerEntry[];
}

/**
 * Reads the log. Rejects with MissingInput if the sandbox cannot be read, and with NotApplicable if there is no call to its
 * platform.
 */
export async function callerLog(probing: ProbeContext): Promise<CallerLog> {
  const { sandbox, control } = sandboxControl(probing);
  const entries = await entriesOf(control).catch((error: Error) => {
    if (probing.run.signal.aborted) throw new Interrupted('The run was stopped.');
    throw error instanceof MissingInput
      ? error
      : new MissingInput(`Cannot read the log of the sandbox at ${sandbox.url}: ${error.message}.`, '--sandbox URL');
  });
  const calls = entries.filter(isFromOutside);
  if (calls.length === 0) throw new NotApplicable('The log contains no calls from the server to the platform.');
  return { control, entries, calls };
}

/** The control API of the sandbox that the server calls. Throws MissingInput where none was given. */
export function sandboxControl({ input, run: { signal } }: ProbeContext) {
  const { sandbox } = input;
  if (sandbox === undefined) throw new MissingInput('It requires the sandbox that the server calls.', '--sandbox URL');
  const token = sandbox.admin_token;
  const control = createSandboxClient({
    baseUrl: `${sandbox.url.replace(/\/$/, '')}${registry.sandbox.prefix}`,
    ...(token !== undefined && { token }),
    fetch: (request) => fetch(request, { signal }),
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
