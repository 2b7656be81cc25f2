import { useMemo } from 'preact/hooks';
import { failed, isCall } from './calls.ts';
import { Entry } from './entry.tsx';
import { figure } from './figures.tsx';
import { FilterChoice, Filters } from './filters.tsx';
import { useBreaking } from './findings.tsx';
import { type Entry as LogEntry, readAll, useFeed } from './live.ts';
import { MicrositeLink } from './microsite-link.tsx';
import { Empty, Note } from './parts.tsx';
import { go, type Route, withQuery } from './route.ts';
import { type Row as Line, lineOf, rowsOf, tracesOf } from './traffic/lines.ts';
import { addressOf, Heads, Row } from './traffic/row.tsx';
import { Windowed } from './windowed.tsx';

/** All calls and state changes, live and grouped by trace, with the details of one of them. A call shows both of its ends. */
export function Traffic({ route: { query } }: { route: Route }) {
  const { entries, partial } = useFeed();
  const chosen = Number(query.get('seq') ?? 0);
  const breaks = useBreaking();
  const filters = ['party', 'show', 'result', 'q', 'pages'].map((name) => query.get(name) ?? '');
  const traces = useMemo(() => tracesOf(entries), [entries]);
  const rows = useMemo(() => rowsOf(traces, matching(query, breaks)), [traces, breaks, ...filters]);
  const all = useMemo(() => traces.reduce((sum, lines) => sum + lines.length, 0), [traces]);
  const isUnfiltered = filters.every((value) => value === '');
  const line = chosen > 0 ? lineOf(traces, chosen) : undefined;
  const draw = (row: Line, tab: 0 | -1) => {
    const isBreaking = breaks(row.entry) || (row.caller !== undefined && breaks(row.caller));
    return <Row line={row} tab={tab} chosen={row.key === line?.key} breaks={isBreaking} />;
  };
  const look = ({ first, last }: Line) => `${first ? 'first' : ''} ${last ? 'last' : ''}`.trim();
  // Keyboard navigation also changes the open entry.
  const moved = ({ key }: Line) => chosen > 0 && go(addressOf(key), { replace: true });
  return (
    <>
      <h1>Traffic</h1>
      <Filters query={query} placeholder="Customer, redeem code, trace, any text">
        <FilterChoice query={query} name="party" label="Party" titles={partyTitles} />
        <FilterChoice query={query} name="show" label="Kind" titles={kindTitles} />
        <FilterChoice query={query} name="result" label="Result" titles={resultTitles} />
        <button
          type="button"
          class="small chip"
          aria-pressed={isApiOnly(query)}
          onClick={() => go(withQuery({ pages: isApiOnly(query) ? 1 : undefined }), { replace: true })}
        >
          API calls only
        </button>
      </Filters>
      <div class={chosen > 0 ? 'split open' : 'split'}>
        <div>
          <Note>
            {figure(rows.length)} of {figure(all)} calls and changes
            {partial && `, in the newest ${figure(entries.length)} entries of the log`}
          </Note>
          {all === 0 && (
            <Empty title="No traffic yet">
              Run the curl command that the terminal printed, or <MicrositeLink>sign in on the microsite</MicrositeLink>
              .
            </Empty>
          )}
          {all > 0 && rows.length === 0 && (
            <Empty title={isUnfiltered ? 'No API calls yet' : 'No matches'}>
              {isUnfiltered && 'Run the curl command that the terminal printed'}
              {!isUnfiltered && <a href="/dashboard/traffic">Clear filters</a>}
              {isApiOnly(query) && [', or ', <a href="/dashboard/traffic?pages=1">include page loads</a>]}
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
        {chosen > 0 && <Entry line={line} entries={entries} query={query} />}
      </div>
    </>
  );
}

const kinds: Readonly<Record<string, LogEntry['kind']>> = { in: 'call_in', out: 'call_out', changes: 'state' };

const results: Readonly<Record<string, (entry: LogEntry, breaks: (entry: LogEntry) => boolean) => boolean>> = {
  errors: (entry) => isCall(entry) && failed(entry),
  findings: (entry, breaks) => breaks(entry),
};

/** The path prefixes of the APIs. All other requests are page loads, or addresses that do not exist. */
const apis = ['rewards', 'client', 'general', 'sandbox', 'gateway'];

/** Returns whether an entry is an API call or a state change. Page loads and requests such as `/robots.txt` are neither. */
function isOfApi(entry: LogEntry) {
  return entry.kind !== 'call_in' || apis.includes(entry.url.split(/[/?]/)[1] ?? '');
}

/** Returns whether the query hides page loads, which is the default. */
function isApiOnly(query: URLSearchParams) {
  return query.get('pages') === null;
}

/** The searchable text of each entry. Entries are immutable, so each is serialized once. */
const texts: WeakMap<LogEntry, string> = new WeakMap();

/** Returns a predicate that tests whether an entry matches the query. */
function matching(query: URLSearchParams, breaks: (entry: LogEntry) => boolean): (entry: LogEntry) => boolean {
  const party = query.get('party');
  const kind = kinds[query.get('show') ?? ''];
  const result = results[query.get('result') ?? ''];
  const text = (query.get('q') ?? '').toLowerCase();
  const apiOnly = isApiOnly(query);
  return (entry) =>
    (!apiOnly || isOfApi(entry)) &&
    (party === null || entry.party === party) &&
    (kind === undefined || kind === entry.kind) &&
    (result === undefined || result(entry, breaks)) &&
    (text === '' || textOf(entry).includes(text));
}

function textOf(entry: LogEntry) {
  const text = texts.get(entry) ?? JSON.stringify(entry).toLowerCase();
  texts.set(entry, text);
  return text;
}

const partyTitles = { platform: 'Platform', client: 'Client', vendor: 'Vendors', sandbox: 'Control' };
const kindTitles = { in: 'Calls received', out: 'Calls sent', changes: 'State changes' };
const resultTitles = { errors: 'Errors', findings: 'Contract violations' };
