import type { CallEntry, Entry as LogEntry } from '../live.ts';

/** From the entries of the log to the lines of the traffic: one for each call and change, those of a trace together. */

/** A change of state, or a call with what both its ends logged. */
export interface Line {
  /** The number of its entry; of a call between two parties, of that of the one called. */
  key: number;
  entry: LogEntry;
  /** The entry of the caller, if the log has both ends. */
  caller: CallEntry | undefined;
  /** When it was logged; for the call that began a trace, when the first entry of that trace was logged, since the call itself is logged last. */
  at: string;
  /** All of its trace came from it. */
  begins: boolean;
  /** Milliseconds of sandbox time: how long a call took, or the time since the step before. Undefined if there is nothing before. */
  took: number | undefined;
  /** Whether `took` is the time since the step before: of a change, and of a call whose begin the log does not have. */
  since: boolean;
}

/** A line, and its place in its trace. */
export type Row = Line & { first: boolean; last: boolean };

/** Most calls of one operation within a trace that are searched for the other end of a call. */
const mostOpen = 50;

/**
 * The lines of each trace, from entries that come oldest first, the call that it came from before all else; the trace in which something happened last
 * comes first.
 */
export function tracesOf(entries: readonly LogEntry[]): readonly (readonly Line[])[] {
  const traces = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const trace = traces.get(entry.trace);
    if (trace !== undefined) {
      // A map iterates in insertion order.
      traces.delete(entry.trace);
      trace.push(entry);
    }
    traces.set(entry.trace, trace ?? [entry]);
  }
  return [...traces.values()].reverse().map(linesOf);
}

/** The wanted lines as rows. */
export function rowsOf(traces: readonly (readonly Line[])[], wanted: (entry: LogEntry) => boolean): readonly Row[] {
  return traces.flatMap((lines) => {
    const matching = lines.filter(({ entry, caller }) => wanted(entry) || (caller !== undefined && wanted(caller)));
    return matching.map((line, index) => ({ ...line, first: index === 0, last: index === matching.length - 1 }));
  });
}

/** The line of each entry, by the entry's number. */
export function lineOf(traces: readonly (readonly Line[])[], seq: number) {
  for (const lines of traces) {
    const found = lines.find(({ entry, caller }) => entry.seq === seq || caller?.seq === seq);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The lines of one trace. */
function linesOf(entries: readonly LogEntry[]): readonly Line[] {
  const callers = pairsOf(entries);
  const again = new Set(callers.values() as Iterable<LogEntry>);
  const single = entries.filter((entry) => !again.has(entry));
  const begin = single.find((entry) => entry.kind === 'call_in' && entry.caller !== 'sandbox' && !callers.has(entry));
  const start = moment(entries[0]);
  let before: number | undefined;
  const lines = single.map((entry) => {
    const caller = callers.get(entry);
    const end = moment(caller ?? entry);
    const began = entry.kind === 'state' || movesClock(entry) ? undefined : (caller?.began ?? entry.began);
    const from = began !== undefined ? Date.parse(began) : entry === begin && entry !== entries[0] ? start : before;
    before = end;
    const took = from === undefined ? undefined : Math.max(0, end - from);
    const { at } = (entry === begin && entries[0]) || entry;
    const since = began === undefined && entry !== begin;
    return { key: entry.seq, entry, caller, at, begins: entry === begin, took, since };
  });
  return lines.sort((one, other) => Number(other.begins) - Number(one.begins));
}

/** Whether a call moves sandbox time, which then does not tell how long the call took. */
function movesClock({ operation }: CallEntry) {
  return operation === 'advanceClock';
}

function moment(entry: LogEntry | undefined) {
  return Date.parse(entry?.at ?? '');
}

/** The calls of one trace that both ends logged: the entry of the callee, and that of the caller, which is logged later. */
function pairsOf(entries: readonly LogEntry[]): ReadonlyMap<LogEntry, CallEntry> {
  const pairs = new Map<LogEntry, CallEntry>();
  const open = new Map<string, CallEntry[]>();
  for (const entry of entries) {
    if (entry.kind === 'state') continue;
    const of = `${entry.party} ${entry.method} ${entry.operation}`;
    const candidates = open.get(of) ?? [];
    if (entry.kind === 'call_in') open.set(of, [...candidates, entry].slice(-mostOpen));
    else {
      const sent = candidates.length > 1 ? JSON.stringify(entry.request) : '';
      const same =
        candidates.length > 1 ? candidates.find(({ request }) => JSON.stringify(request) === sent) : undefined;
      const other = same ?? candidates[0];
      if (other === undefined) continue;
      pairs.set(other, entry);
      open.set(
        of,
        candidates.filter((one) => one !== other),
      );
    }
  }
  return pairs;
}
