/** Computes counts for the entries of the activity log (OP-255). */
import type { components } from '../../generated/sandbox/types.ts';
import { findApi, registry } from '../apis/registry.ts';
import { wrappedMessage } from '../contract/envelopes.ts';
import type { ActivityEntry, CallEntry } from './activity-entry.ts';

type Schemas = components['schemas'];
type Summary = Schemas['ActivitySummary'];
type Counted = { calls: number; failed: number };

/** Maximum number of minutes, up to the newest call, that are counted individually. */
const mostMinutes = 30;
/** Maximum number of listed operations. */
const mostOperations = 100;

const apiAt = findApi(Object.values(registry));

/** Inputs of the counts, in addition to the entries. */
interface Counting {
  /** The numbers of calls that violate a rule about several calls. */
  readonly blamed: ReadonlySet<number>;
  /** The URL of the partner's own server; `undefined` while the reference client is in use. */
  readonly ownServer: string | undefined;
}

/** Computes the summary of entries, which must be ordered oldest first. */
export function summarize(entries: readonly ActivityEntry[], { blamed, ownServer }: Counting): Summary {
  const calls = entries.filter((entry) => entry.kind !== 'state').filter(isOfApi);
  const received = calls.filter(({ kind, caller }) => kind === 'call_in' && caller !== 'sandbox');
  const bothEnds = new Set(calls.flatMap(({ kind, parent }) => (kind === 'call_in' ? (parent ?? []) : [])));
  const validated = calls.filter(
    ({ kind, operation, span = '' }) => operation !== null && (kind === 'call_in' || !bothEnds.has(span)),
  );
  const violating = validated.filter(({ seq, findings }) => findings !== undefined || blamed.has(seq));
  return {
    from: entries[0]?.seq ?? 1,
    to: entries.at(-1)?.seq ?? 0,
    ...countsOf(received),
    minutes: byMinute(received),
    operations: byOperation(received),
    validated: { calls: validated.length, violating: violating.length },
    client: ownServer === undefined ? null : healthOf(calls, ownServer),
  };
}

/** Returns whether a call is an API call. A browser's page load, `/robots.txt` and similar calls are not. */
function isOfApi({ kind, url }: CallEntry): boolean {
  return kind === 'call_out' || apiAt(url)?.calledBy === 'programs';
}

function isFailed({ status }: CallEntry): boolean {
  return status === null || status >= 400;
}

function countsOf(calls: readonly CallEntry[]): Counted {
  return { calls: calls.length, failed: calls.filter(isFailed).length };
}

function byMinute(calls: readonly CallEntry[]): Summary['minutes'] {
  const minuteOf = ({ at }: CallEntry) => Math.floor(Date.parse(at) / 60_000);
  const groups = Map.groupBy(calls, minuteOf);
  const newest = Math.max(...groups.keys());
  return [...groups]
    .filter(([minute]) => minute > newest - mostMinutes)
    .sort(([one], [other]) => one - other)
    .map(([minute, group]) => ({ at: new Date(minute * 60_000).toISOString(), ...countsOf(group) }));
}

function byOperation(calls: readonly CallEntry[]): Summary['operations'] {
  const groups = Map.groupBy(calls, ({ operation, method, url }) => operation ?? `${method} ${url.split('?')[0]}`);
  return [...groups]
    .map(([operation, group]) => {
      // The duration of a call that advances the clock cannot be separated from the added time.
      const took = operation === 'advanceClock' ? [] : group.map(({ began, at }) => Date.parse(at) - Date.parse(began));
      const sorted = took.map((milliseconds) => Math.max(0, milliseconds)).sort((one, other) => one - other);
      return { operation, ...countsOf(group), p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
    })
    .sort((one, other) => other.calls - one.calls)
    .slice(0, mostOperations);
}

/** Returns the nearest-rank percentile of sorted numbers; null if there are none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** Returns the calls to the client server at this URL. */
export function callsTo(address: string, calls: readonly CallEntry[]): readonly CallEntry[] {
  const base = `${address.replace(/\/$/, '')}/`;
  return calls.filter(({ kind, party, url }) => kind === 'call_out' && party === 'client' && url.startsWith(base));
}

/** Returns whether a fault of the sandbox affected a call. */
export function hasFault({ notices }: CallEntry): boolean {
  return notices.some((notice) => notice.startsWith('fault '));
}

/** Reports the health of a partner's own server, based on the calls to its URL. Calls with a fault are ignored. */
function healthOf(calls: readonly CallEntry[], address: string): Schemas['ClientHealth'] {
  const made = callsTo(address, calls).filter((call) => !hasFault(call));
  const last = made.at(-1);
  if (last === undefined) return { state: 'not_called', since: null, answered: false, reason: null };
  const state = stateAfter(last);
  const before = made.findLastIndex((call) => stateAfter(call) !== state);
  return {
    state,
    since: made[before + 1]?.at ?? last.at,
    answered: made.some((call) => stateAfter(call) === 'answers'),
    reason: reasonOf(last),
  };
}

function stateAfter({ status }: CallEntry) {
  if (status === null) return 'silent';
  return status >= 200 && status < 300 ? 'answers' : 'refuses';
}

function reasonOf(call: CallEntry): string | null {
  const { status, reply, notices } = call;
  if (status === null) return notices[0] ?? 'no response';
  return stateAfter(call) === 'answers' ? null : `${status} ${wrappedMessage(reply) ?? ''}`.trim();
}
