// @ts-check
/** From the entries of the log to the lines of the traffic: one for each call and change, those of a trace together. */
/**
 * @typedef {import('../live.js').Entry} LogEntry
 * @typedef {import('../live.js').CallEntry} CallEntry
 */

/**
 * A change of state, or a call with what both its ends logged.
 * @typedef {object} Line
 * @property {number} key The number of its entry; of a call between two parties, of that of the one called.
 * @property {LogEntry} entry
 * @property {CallEntry | undefined} caller The entry of the caller, if the log has both ends.
 * @property {string} at When it was logged; for the call that began a trace, when the first entry of that trace was logged, since
 * the call itself is logged last.
 * @property {boolean} begins All of its trace came from it.
 * @property {number | undefined} took Milliseconds of sandbox time: how long a call took, or the time since the step
 * before. Undefined where there is nothing before.
 * @property {boolean} since Whether `took` is the time since the step before: of a change, and of a call whose begin the
 * log does not have.
 */

/** A line, and where in its trace it stands. @typedef {Line & { first: boolean, last: boolean }} Row */

/** Most calls of one operation within a trace that are searched for the other end of a call. */
const mostOpen = 50;

/**
 * The lines of each trace, the call that it came from before all else; the trace in which something happened last
 * comes first.
 * @param {readonly LogEntry[]} entries Oldest first.
 * @returns {readonly (readonly Line[])[]}
 */
export function tracesOf(entries) {
  /** @type {Map<string, LogEntry[]>} */
  const traces = new Map();
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

/**
 * The lines that are wanted, as rows under each other.
 * @param {readonly (readonly Line[])[]} traces
 * @param {(entry: LogEntry) => boolean} wanted
 * @returns {readonly Row[]}
 */
export function rowsOf(traces, wanted) {
  return traces.flatMap((lines) => {
    const shown = lines.filter(({ entry, caller }) => wanted(entry) || (caller !== undefined && wanted(caller)));
    return shown.map((line, index) => ({ ...line, first: index === 0, last: index === shown.length - 1 }));
  });
}

/**
 * The line that an entry stands in, by its number.
 * @param {readonly (readonly Line[])[]} traces
 * @param {number} seq
 */
export function lineOf(traces, seq) {
  for (const lines of traces) {
    const found = lines.find(({ entry, caller }) => entry.seq === seq || caller?.seq === seq);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * @param {readonly LogEntry[]} entries Of one trace.
 * @returns {readonly Line[]}
 */
function linesOf(entries) {
  const callers = pairsOf(entries);
  const again = new Set(/** @type {Iterable<LogEntry>} */ (callers.values()));
  const single = entries.filter((entry) => !again.has(entry));
  const begin = single.find((entry) => entry.kind === 'call_in' && entry.caller !== 'sandbox' && !callers.has(entry));
  const start = moment(entries[0]);
  let before = /** @type {number | undefined} */ (undefined);
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

/** Whether a call moves sandbox time, which then does not tell how long the call took. @param {CallEntry} call */
function movesClock({ operation }) {
  return operation === 'advanceClock';
}

/** @param {LogEntry | undefined} entry */
function moment(entry) {
  return Date.parse(entry?.at ?? '');
}

/**
 * The calls that both ends logged: the entry of the callee, and that of the caller, which is logged later.
 * @param {readonly LogEntry[]} entries Of one trace.
 * @returns {ReadonlyMap<LogEntry, CallEntry>}
 */
function pairsOf(entries) {
  /** @type {Map<LogEntry, CallEntry>} */
  const pairs = new Map();
  /** @type {Map<string, CallEntry[]>} */
  const open = new Map();
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
