/** Recent calls and failures per minute, and the call durations of each operation. */
import type { Schemas } from '../api.ts';
import { figure, length } from '../figures.tsx';
import { Empty, Panel } from '../parts.tsx';

type Summary = Schemas['ActivitySummary'];
type Minute = { calls: number; failed: number };

/** Number of minutes shown, and the maximum width and height of a minute's bar. */
const minutes = 30;
const [wide, high] = [8, 40];
/** Maximum number of operations listed. */
const most = 6;

export function Pulse({ summary }: { summary: Summary }) {
  const drawn = perMinute(summary);
  const [all, errors] = [sum(drawn.map(({ calls }) => calls)), sum(drawn.map(({ failed }) => failed))];
  return (
    <Panel
      title="API calls per minute"
      aside={
        <span class="quiet">
          {figure(all)} in the last {minutes} minutes, {figure(errors)} failed
        </span>
      }
    >
      <Sparkline
        drawn={drawn}
        label={`${figure(all)} calls in the last ${minutes} minutes of sandbox time, ${figure(errors)} of them failed`}
        ends={[`${minutes} minutes before`, 'last call']}
      />
      {all === 0 ? (
        <Empty title="No calls yet">Every API call to the sandbox is counted here as it happens.</Empty>
      ) : (
        <Operations summary={summary} />
      )}
    </Panel>
  );
}

/** Returns calls per minute, oldest first. The last minute is that of the newest call. */
function perMinute({ minutes: counted }: Summary): readonly Minute[] {
  const minuteOf = (at: string) => Date.parse(at) / 60_000;
  const newest = minuteOf(counted.at(-1)?.at ?? '');
  return Array.from({ length: minutes }, (_, index) => {
    const minute = newest - (minutes - 1 - index);
    return counted.find(({ at }) => minuteOf(at) === minute) ?? { calls: 0, failed: 0 };
  });
}

interface SparklineProps {
  drawn: readonly Minute[];
  label: string;
  /** Labels below the first and the last bar. */
  ends: readonly [first: string, last: string];
}

/** A bar chart of calls. Each bar marks its share of failures. */
export function Sparkline({ drawn, label, ends }: SparklineProps) {
  const top = Math.max(1, ...drawn.map(({ calls }) => calls));
  const share = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / top) * high)));
  return (
    <div class="calls-chart">
      <div class="axis" aria-hidden="true">
        <span>{top}</span>
        <span>0</span>
      </div>
      <svg
        class="sparkline"
        viewBox={`0 0 ${drawn.length * wide} ${high}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {drawn.map(({ calls, failed }, index) => {
          const [whole, bad] = [share(calls), share(failed)];
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
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </div>
  );
}

/** The most-called operations in the whole log. */
function Operations({ summary: { calls, failed, from, operations } }: { summary: Summary }) {
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
        {operations.slice(0, most).map(({ operation, calls, failed, p50, p95 }) => (
          <tr key={operation}>
            <th scope="row">
              <a href={`/dashboard/traffic?show=in&q=${encodeURIComponent(operation)}`}>{operation}</a>
            </th>
            <td>{figure(calls)}</td>
            <td class={failed > 0 ? 'bad' : ''}>{figure(failed)}</td>
            <td>{durationText(p50)}</td>
            <td>{durationText(p95)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{from === 1 ? 'All API calls' : 'All API calls in the log'}</th>
          <td>{figure(calls)}</td>
          <td class={failed > 0 ? 'bad' : ''}>{figure(failed)}</td>
          <td />
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

function durationText(took: number | null) {
  return took === null ? '–' : length(took);
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((all, one) => all + one, 0);
}
