/** Recent calls and failures per minute, and the call durations of each operation. */
import type { Schemas } from '../api.ts';
import { figure, length } from '../figures.tsx';
import { Empty, Panel, TableHead } from '../parts.tsx';

type Summary = Schemas['ActivitySummary'];
type Minute = { calls: number; failed: number };

/** Number of minutes shown, and the maximum width and height of a minute's bar. */
const minutes = 30;
const [wide, high] = [8, 40];
/** Maximum number of operations listed. */
const most = 6;

/** The calls per minute, and the operations with their durations. */
export function Pulse({ summary }: { summary: Summary }) {
  const drawn = perMinute(summary);
  const sum = (name: keyof Minute) => drawn.reduce((total, minute) => total + minute[name], 0);
  const [all, errors] = [sum('calls'), sum('failed')];
  const counts = `${figure(all)} in the last ${minutes} minutes, ${figure(errors)} failed`;
  return (
    <Panel title="API calls per minute" aside={<span class="quiet">{counts}</span>}>
      <Sparkline
        drawn={drawn}
        label={`${figure(all)} calls in the last ${minutes} minutes of sandbox time, ${figure(errors)} of them failed`}
        ends={[`${minutes} minutes before`, 'last call']}
      />
      {all === 0 && <Empty title="No calls yet">Every API call to the sandbox is counted here as it happens.</Empty>}
      {all > 0 && <Operations summary={summary} />}
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
  const bar = (kind: string, index: number, height: number) => (
    <rect class={kind} x={index * wide + 1} y={high - height} width={wide - 2} height={height} />
  );
  const box = `0 0 ${drawn.length * wide} ${high}`;
  return (
    <div class="calls-chart">
      <div class="axis" aria-hidden="true">
        <span>{top}</span>
        <span>0</span>
      </div>
      <svg class="sparkline" viewBox={box} preserveAspectRatio="none" role="img" aria-label={label}>
        {drawn.flatMap(({ calls, failed }, index) => [
          bar('base', index, 1),
          bar('calls', index, share(calls)),
          bar('errors', index, share(failed)),
        ])}
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
      <TableHead heads={['Operation', 'Calls', 'Failed', 'p50', 'p95']} />
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
