/** What the platform of a journey sent to the server, from its activity log. */
import type { Answer } from './answer.ts';
import type { CallerEntry as CallEntry, LogEntry } from './caller-log.ts';
import type { Input } from './verdict.ts';

/** The calls of the platform to the server, oldest first. */
export function callsToServer(entries: readonly LogEntry[]): readonly CallEntry[] {
  return entries.filter((entry) => entry.kind === 'call_out' && entry.party === 'client') as CallEntry[];
}

/** How many calls reached the server: a fault keeps some back, and sends others twice. */
export function countReached(calls: readonly CallEntry[]): number {
  return calls.reduce((sum, call) => sum + timesSent(call), 0);
}

function timesSent({ notices }: CallEntry): number {
  const faults = notices.flatMap((notice) => /^fault \S+: (\w+)$/.exec(notice)?.[1] ?? []);
  if (faults.some((fault) => fault === 'status' || fault === 'reset')) return 0;
  return faults.includes('duplicate') ? 2 : 1;
}

/** Whether the server accepted a call, or would have without the fault that was injected into it. */
export function wasTaken({ status, notices }: CallEntry): boolean {
  return (status !== null && status >= 200 && status < 300) || notices.some((notice) => notice.startsWith('fault '));
}

/** Faults that leave the platform without the server's answer. */
const withoutAnswer = /^fault \S+: (status|reset|lost_reply|malformed)$/;

/** Whether no answer came, or one in a form that the platform cannot believe, and no fault is why. */
export function isUnheard({ status, notices }: CallEntry): boolean {
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
export function shownCalls(calls: readonly CallEntry[], { client_url, service_token = '' }: Input): readonly Answer[] {
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
