import type { CallEntry, Entry as LogEntry } from '../live.ts';

/** Converts log entries to traffic lines: one per call or state change, grouped by trace. */

/** A state change, or a call with the entries of both ends. */
export interface Line {
  /** The number of the entry; for a call between two parties, of the callee's entry. */
  key: number;
  entry: LogEntry;
  /** The caller's entry, if the log has both ends. */
  caller: CallEntry | undefined;
  /** The log time. A call that started a trace has the time of the trace's first entry, because the call itself is logged last. */
  at: string;
  /** Whether this call started the trace. */
  begins: boolean;
  /** Milliseconds of sandbox time: the duration of a call, or the time since the previous step. Undefined if there is no previous step. */
  took: number | undefined;
  /** Whether `took` is the time since the previous step. This applies to state changes, and to calls whose start is not in the log. */
  since: boolean;
}

/** A line with its position in its trace. */
export type Row = Line & { first: boolean; last: boolean };

/** Maximum number of calls of one operation within a trace to search for the other end of a call. */
const mostOpen = 50;

/**
 * Returns the lines of each trace, from entries sorted oldest first. The call that started a trace is its first line.
 * The trace with the latest activity comes first.
 */
export function tracesOf(entries: readonly LogEntry[]): readonly (readonly Line[])[] {
  const traces = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const trace = traces.get(entry.trace);
    if (trace !== undefined) {
      // Move the trace to the end: a map iterates in insertion order.
      traces.delete(entry.trace);
      trace.push(entry);
    }
    traces.set(entry.trace, trace ?? [entry]);
  }
  return [...traces.values()].reverse().map(linesOf);
}

/** Returns the wanted lines as rows. */
export function rowsOf(traces: readonly (readonly Line[])[], wanted: (entry: LogEntry) => boolean): readonly Row[] {
  return traces.flatMap((lines) => {
    const matching = lines.filter(({ entry, caller }) => wanted(entry) || (caller !== undefined && wanted(caller)));
    return matching.map((line, index) => ({ ...line, first: index === 0, last: index === matching.length - 1 }));
  });
}

/** Returns the line of the entry with a number. */
export function lineOf(traces: readonly (readonly Line[])[], seq: number) {
  for (const lines of traces) {
    const line = lines.find(({ entry, caller }) => entry.seq === seq || caller?.seq === seq);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Returns the lines of one trace. */
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
    // Sandbox time does not measure the duration of a call that advances it.
    const isMeasured = entry.kind !== 'state' && entry.operation !== 'advanceClock';
    const began = isMeasured ? (caller?.began ?? entry.began) : undefined;
    const from = began !== undefined ? Date.parse(began) : entry === begin && entry !== entries[0] ? start : before;
    before = end;
    const took = from === undefined ? undefined : Math.max(0, end - from);
    const { at } = (entry === begin && entries[0]) || entry;
    const since = began === undefined && entry !== begin;
    return { key: entry.seq, entry, caller, at, begins: entry === begin, took, since };
  });
  return lines.sort((one, other) => Number(other.begins) - Number(one.begins));
}

function moment(entry: LogEntry | undefined) {
  return Date.parse(entry?.at ?? '');
}

/** Pairs the calls of one trace that both ends logged: the callee's entry and the caller's, which is logged later. */
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
      const rest = candidates.filter((one) => one !== other);
      open.set(of, rest);
    }
  }
  return pairs;
}
