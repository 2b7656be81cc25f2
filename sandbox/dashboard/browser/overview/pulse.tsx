/** How many calls there were lately and how many of them failed, minute by minute, and how long those of each operation took. */
import { useMemo } from 'preact/hooks';
import { failed, isCall } from '../calls.ts';
import { length } from '../figures.tsx';
import { type CallEntry, type Entry, useFeed } from '../live.ts';
import { Empty, Panel } from '../parts.tsx';
import { tracesOf } from '../traffic/lines.ts';

type Measured = { operation: string; calls: number; errors: number; p50: number | undefined; p95: number | undefined };

/** Minutes that are drawn, and how wide and high one is at the most. */
const minutes = 30;
const [wide, high] = [8, 40];
/** Operations that are listed. */
const most = 6;

export function Pulse() {
  const { entries } = useFeed();
  const measured = useMemo(() => measuredBy(begunBy(entries)), [entries]);
  const counted = useMemo(() => perMinute(callsFrom(entries)), [entries]);
  const [all, errors] = [sum(counted.map((one) => one.calls)), sum(counted.map((one) => one.errors))];
  return (
    <Panel
      title="Calls per minute"
      aside={
        <span class="quiet">
          {all} in the last {minutes} minutes, {errors} failed
        </span>
      }
    >
      <Sparkline
        counted={counted}
        label={`${all} calls in the last ${minutes} minutes of sandbox time, ${errors} of them failed`}
      />
      {all === 0 ? (
        <Empty title="No calls yet">Every call to the sandbox is counted here as it happens.</Empty>
      ) : (
        <Table measured={measured} />
      )}
    </Panel>
  );
}

/** Calls from other callers. */
function callsFrom(entries: readonly Entry[]) {
  return entries.filter(isCall).filter(({ kind, caller }) => kind === 'call_in' && caller !== 'sandbox');
}

/** Calls by the minute, the oldest first; the last minute is that of the newest call. */
function perMinute(calls: readonly CallEntry[]) {
  const minute = (at: string) => Math.floor(Date.parse(at) / 60_000);
  const newest = calls.reduce((last, { at }) => Math.max(last, minute(at)), 0);
  const counted = Array.from({ length: minutes }, () => ({ calls: 0, errors: 0 }));
  for (const call of calls) {
    const one = counted[minutes - 1 - (newest - minute(call.at))];
    if (one === undefined) continue;
    one.calls += 1;
    if (failed(call)) one.errors += 1;
  }
  return counted;
}

function Sparkline({ counted, label }: { counted: readonly { calls: number; errors: number }[]; label: string }) {
  const top = Math.max(1, ...counted.map(({ calls }) => calls));
  const share = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / top) * high)));
  return (
    <div class="calls-chart">
      <div class="axis" aria-hidden="true">
        <span>{top}</span>
        <span>0</span>
      </div>
      <svg
        class="sparkline"
        viewBox={`0 0 ${minutes * wide} ${high}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {counted.map(({ calls, errors }, index) => {
          const [whole, bad] = [share(calls), share(errors)];
          const x = index * wide + 1;
          return (
            <>
              <rect class="base" x={x} y={high - 1} width={wide - 2} height="1" />
              <rect class="calls" x={x} y={high - whole} width={wide - 2} height={whole} />
              <rect class="errors" x={x} y={high - bad} width={wide - 2} height={bad} />
            </>
          );
        })}
      </svg>
      <div class="times" aria-hidden="true">
        <span>{minutes} minutes before</span>
        <span>last call</span>
      </div>
    </div>
  );
}

/** The calls that traces came from. */
function begunBy(entries: readonly Entry[]) {
  return tracesOf(entries).flatMap((trace) => trace.filter(({ begins }) => begins));
}

/** The operations that were called most, with the lengths of their calls. */
function measuredBy(lines: ReturnType<typeof tracesOf>[number]): readonly Measured[] {
  const byOperation = new Map<string, { took: number[]; calls: number; errors: number }>();
  for (const { entry, took } of lines) {
    if (entry.kind === 'state') continue;
    const operation = entry.operation ?? `${entry.method} ${entry.url.split('?')[0]}`;
    const one = byOperation.get(operation) ?? { took: [], calls: 0, errors: 0 };
    byOperation.set(operation, one);
    one.calls += 1;
    if (failed(entry)) one.errors += 1;
    if (took !== undefined) one.took.push(took);
  }
  return [...byOperation]
    .map(([operation, { took, calls, errors }]) => {
      const sorted = took.sort((one, other) => one - other);
      return { operation, calls, errors, p50: at(sorted, 0.5), p95: at(sorted, 0.95) };
    })
    .sort((one, other) => other.calls - one.calls)
    .slice(0, most);
}

/** The given percentile of sorted numbers; undefined if there are none. */
function at(sorted: readonly number[], share: number) {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

function Table({ measured }: { measured: readonly Measured[] }) {
  return (
    <table class="measured">
      <caption class="unseen">The most-called operations, with durations in sandbox time</caption>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Calls</th>
          <th scope="col">Failed</th>
          <th scope="col">p50</th>
          <th scope="col">p95</th>
        </tr>
      </thead>
      <tbody>
        {measured.map(({ operation, calls, errors, p50, p95 }) => (
          <tr key={operation}>
            <th scope="row">
              <a href={`/dashboard/traffic?show=in&q=${encodeURIComponent(operation)}`}>{operation}</a>
            </th>
            <td>{calls}</td>
            <td class={errors > 0 ? 'bad' : ''}>{errors}</td>
            <td>{durationText(p50)}</td>
            <td>{durationText(p95)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The log has no duration for a call that caused no other entry. */
function durationText(took: number | undefined) {
  return took === undefined ? '–' : length(took);
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((all, one) => all + one, 0);
}
