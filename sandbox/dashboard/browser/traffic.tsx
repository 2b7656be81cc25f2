// @ts-check
import { useMemo } from 'preact/hooks';
import { Entry } from './entry.js';
import { useBreaking } from './findings.js';
import { html } from './html.js';
import { readAll, useFeed } from './live.js';
import { Empty } from './parts.js';
import { go } from './route.js';
import { Filter, matching } from './traffic/filter.js';
import { lineOf, rowsOf, tracesOf } from './traffic/lines.js';
import { addressOf, Heads, Row } from './traffic/row.js';
import { Windowed } from './windowed.js';

/** @typedef {import('./traffic/lines.js').Row} Line */

/**
 * Every call with both its ends and every change of state, as they come, by trace; one of them in full.
 * @param {{ route: import('./route.js').Route }} given
 */
export function Traffic({ route: { query } }) {
  const { entries, partial } = useFeed();
  const chosen = Number(query.get('seq') ?? 0);
  const breaks = useBreaking();
  const filterKey = ['party', 'show', 'result', 'q', 'pages'].map((name) => query.get(name)).join('\n');
  const traces = useMemo(() => tracesOf(entries), [entries]);
  const rows = useMemo(() => rowsOf(traces, matching(query, breaks)), [traces, breaks, filterKey]);
  const all = useMemo(() => traces.reduce((sum, lines) => sum + lines.length, 0), [traces]);
  const line = chosen > 0 ? lineOf(traces, chosen) : undefined;
  /** @param {Line} row @param {0 | -1} tab */
  const draw = (row, tab) =>
    html`<${Row} line=${row} tab=${tab} chosen=${row.key === line?.key} breaks=${breaks(row.entry) || (row.caller !== undefined && breaks(row.caller))} />`;
  /** @param {Line} row */
  const look = ({ first, last }) => `${first ? 'first' : ''} ${last ? 'last' : ''}`.trim();
  // The keys lead through what is open, too.
  /** @param {Line} row */
  const moved = ({ key }) => chosen > 0 && go(addressOf(key), { replace: true });
  return html`
    <h1>Traffic</h1>
    <${Filter} query=${query} />
    <div class=${chosen > 0 ? 'split open' : 'split'}>
      <div>
        <p class="quiet" role="status">${rows.length} of ${all} calls and changes</p>
        ${all === 0 && html`<${Empty} title="No traffic yet">Run the curl command that the terminal printed, or <a href="/microsite/">sign in on the microsite</a>.<//>`}
        ${all > 0 && rows.length === 0 && html`<${Empty} title="No matches"><a href="/dashboard/traffic">Clear filters</a>${query.get('pages') === null && html`, or <a href="/dashboard/traffic?pages=1">include page loads</a>`}<//>`}
        ${rows.length > 0 && html`<div class="lines"><${Heads} /><${Windowed} label="Traffic by trace, newest first" rows=${rows} draw=${draw} look=${look} moved=${moved} /></div>`}
        ${partial && html`<div class="ways"><button type="button" class="quiet" onClick=${readAll}>Load older entries</button></div>`}
      </div>
      ${chosen > 0 && html`<${Entry} line=${line} entries=${entries} seq=${chosen} tab=${query.get('tab')} edit=${query.has('edit')} />`}
    </div>
  `;
}
