// @ts-check
import { useMemo } from 'preact/hooks';
import { isCall } from './calls.js';
import { Entry } from './entry.js';
import { useBreaking } from './findings.js';
import { html } from './html.js';
import { readAll, useFeed } from './live.js';
import { Empty, Status, Time } from './parts.js';
import { go, withQuery } from './route.js';
import { Filter, matching } from './traffic/filter.js';
import { Windowed } from './windowed.js';

/**
 * @typedef {import('./live.js').Entry} LogEntry
 * @typedef {import('./route.js').Route} Route
 */

/**
 * Every call in both directions and every change of state, as they come; one of them in full.
 * @param {{ route: Route }} given
 */
export function Traffic({ route }) {
  const { entries, partial } = useFeed();
  const { query } = route;
  const chosen = Number(query.get('seq') ?? 0);
  const breaks = useBreaking();
  const asked = ['party', 'show', 'result', 'q'].map((name) => query.get(name)).join('\n');
  const wanted = useMemo(() => {
    const found = entries.filter(matching(query, breaks)).reverse();
    return found.map((one) => ({ key: one.seq, entry: one }));
  }, [entries, breaks, asked]);
  const entry = entries.find(({ seq }) => seq === chosen);
  /** @param {{ entry: LogEntry }} row @param {0 | -1} tab */
  const draw = ({ entry: one }, tab) =>
    html`<${Row} entry=${one} tab=${tab} chosen=${one.seq === chosen} breaks=${breaks(one)} />`;
  // The keys lead through what is open, too.
  /** @param {{ key: number }} row */
  const moved = ({ key }) => chosen > 0 && go(addressOf(key), { replace: true });
  return html`
    <h1>Traffic</h1>
    <${Filter} query=${query} />
    <div class=${chosen > 0 ? 'split open' : 'split'}>
      <div>
        <p class="quiet" role="status">${wanted.length} of ${entries.length} entries</p>
        ${entries.length === 0 && html`<${Empty} title="Nothing has happened yet">Paste the curl command that the terminal printed, or <a href="/microsite/">sign in on the microsite</a>.<//>`}
        ${entries.length > 0 && wanted.length === 0 && html`<${Empty} title="Nothing fits"><a href="/dashboard/traffic">Show everything</a><//>`}
        ${wanted.length > 0 && html`<${Windowed} label="Traffic, the newest first" rows=${wanted} draw=${draw} moved=${moved} />`}
        <div class="ways">
          ${partial && html`<button type="button" class="quiet" onClick=${readAll}>Read older entries</button>`}
        </div>
      </div>
      ${chosen > 0 && html`<${Entry} entry=${entry} entries=${entries} seq=${chosen} edit=${query.has('edit')} />`}
    </div>
  `;
}

/**
 * One entry as a line, which opens it.
 * @param {{ entry: LogEntry, tab: 0 | -1, chosen: boolean, breaks: boolean }} given
 */
function Row({ entry, tab, chosen, breaks }) {
  const about = [entry.uid, ...entry.redeem_codes].filter(Boolean).join(' ');
  return html`
    <a class="row" href=${addressOf(entry.seq)} tabindex=${tab} onClick=${open} aria-current=${chosen ? 'true' : undefined}>
      <span class="quiet"><${Time} at=${entry.at} /></span>
      <span class=${`party ${entry.party}`}>${whose(entry)}</span>
      <span class="what">
        <strong>${isCall(entry) ? (entry.operation ?? `${entry.method} ${entry.url}`) : entry.event}</strong>
        <span class="quiet">${about}</span>
      </span>
      ${breaks && html`<span class="badge reversed">against the contract</span>`}
      ${isCall(entry) && html`<${Status} status=${entry.status} />`}
    </a>
  `;
}

/**
 * Whose change it was; of a call, whether it was seen where it went or where it came from.
 * @param {LogEntry} entry
 */
function whose({ kind, party }) {
  if (kind === 'state') return party;
  return kind === 'call_in' ? `at ${party}` : `to ${party}`;
}

/** @param {number} seq */
function addressOf(seq) {
  return withQuery({ seq, edit: undefined });
}

/**
 * Where an entry opens beside the list, the list stays where it is.
 * @param {MouseEvent & { currentTarget: HTMLAnchorElement }} event
 */
function open(event) {
  const other = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (other || !matchMedia('(min-width: 60rem)').matches) return;
  event.preventDefault();
  go(event.currentTarget.href, { stay: true });
}
