import { useMemo } from 'preact/hooks';
import { Entry } from './entry.tsx';
import { useBreaking } from './findings.tsx';
import { readAll, useFeed } from './live.ts';
import { Empty } from './parts.tsx';
import { go, type Route } from './route.ts';
import { Filter, matching } from './traffic/filter.tsx';
import { type Row as Line, lineOf, rowsOf, tracesOf } from './traffic/lines.ts';
import { addressOf, Heads, Row } from './traffic/row.tsx';
import { Windowed } from './windowed.tsx';

/** Every call with both its ends and every change of state, as they come, by trace; one of them in full. */
export function Traffic({ route: { query } }: { route: Route }) {
  const { entries, partial } = useFeed();
  const chosen = Number(query.get('seq') ?? 0);
  const breaks = useBreaking();
  const filterKey = ['party', 'show', 'result', 'q', 'pages'].map((name) => query.get(name)).join('\n');
  const traces = useMemo(() => tracesOf(entries), [entries]);
  const rows = useMemo(() => rowsOf(traces, matching(query, breaks)), [traces, breaks, filterKey]);
  const all = useMemo(() => traces.reduce((sum, lines) => sum + lines.length, 0), [traces]);
  const line = chosen > 0 ? lineOf(traces, chosen) : undefined;
  const draw = (row: Line, tab: 0 | -1) => (
    <Row
      line={row}
      tab={tab}
      chosen={row.key === line?.key}
      breaks={breaks(row.entry) || (row.caller !== undefined && breaks(row.caller))}
    />
  );
  const look = ({ first, last }: Line) => `${first ? 'first' : ''} ${last ? 'last' : ''}`.trim();
  // The keys lead through what is open, too.
  const moved = ({ key }: Line) => chosen > 0 && go(addressOf(key), { replace: true });
  return (
    <>
      <h1>Traffic</h1>
      <Filter query={query} />
      <div class={chosen > 0 ? 'split open' : 'split'}>
        <div>
          <p class="quiet" role="status">
            {rows.length} of {all} calls and changes
          </p>
          {all === 0 && (
            <Empty title="No traffic yet">
              Run the curl command that the terminal printed, or <a href="/microsite/">sign in on the microsite</a>.
            </Empty>
          )}
          {all > 0 && rows.length === 0 && (
            <Empty title="No matches">
              <a href="/dashboard/traffic">Clear filters</a>
              {query.get('pages') === null && (
                <>
                  , or <a href="/dashboard/traffic?pages=1">include page loads</a>
                </>
              )}
            </Empty>
          )}
          {rows.length > 0 && (
            <div class="lines">
              <Heads />
              <Windowed label="Traffic by trace, newest first" rows={rows} draw={draw} look={look} moved={moved} />
            </div>
          )}
          {partial && (
            <div class="ways">
              <button type="button" class="quiet" onClick={readAll}>
                Load older entries
              </button>
            </div>
          )}
        </div>
        {chosen > 0 && (
          <Entry line={line} entries={entries} seq={chosen} tab={query.get('tab')} edit={query.has('edit')} />
        )}
      </div>
    </>
  );
}
