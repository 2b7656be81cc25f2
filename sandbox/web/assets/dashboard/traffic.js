// @ts-check

import { failed, isCall } from './calls.js';
import { Entry } from './entry.js';
import { useBreaking } from './findings.js';
import { html } from './html.js';
import { readAll, useFeed } from './live.js';
import { Empty, Status, Time } from './parts.js';
import { go, withQuery } from './route.js';

/**
 * @typedef {import('./live.js').Entry} LogEntry
 * @typedef {import('./route.js').Route} Route
 */

/** Rows that are drawn at once. */
const step = 200;

/** @type {Readonly<Record<string, (entry: LogEntry) => boolean>>} */
const kinds = {
  in: (entry) => entry.kind === 'call_in',
  out: (entry) => entry.kind === 'call_out',
  changes: (entry) => entry.kind === 'state',
};

/** @type {Readonly<Record<string, (entry: LogEntry, breaks: (entry: LogEntry) => boolean) => boolean>>} */
const results = {
  errors: (entry) => isCall(entry) && failed(entry),
  findings: (entry, breaks) => breaks(entry),
};

/**
 * Every call in both directions and every change of state, as they come; one of them in full.
 * @param {{ route: Route }} given
 */
export function Traffic({ route }) {
  const { entries, partial } = useFeed();
  const { query } = route;
  const chosen = Number(query.get('seq') ?? 0);
  const rows = Number(query.get('rows') ?? step);
  const breaks = useBreaking();
  const wanted = entries.filter(matching(query, breaks)).reverse();
  const entry = entries.find(({ seq }) => seq === chosen);
  return html`
    <h1>Traffic</h1>
    <${Filter} query=${query} />
    <div class=${chosen > 0 ? 'split open' : 'split'}>
      <div>
        <p class="quiet" role="status">${wanted.length} of ${entries.length} entries</p>
        ${entries.length === 0 && html`<${Empty} title="Nothing has happened yet">Paste the curl command that the terminal printed, or <a href="/microsite/">sign in on the microsite</a>.<//>`}
        ${entries.length > 0 && wanted.length === 0 && html`<${Empty} title="Nothing fits"><a href="/dashboard/traffic">Show everything</a><//>`}
        <ol class="rows">
          ${wanted.slice(0, rows).map((one) => html`<li key=${one.seq}><${Row} entry=${one} chosen=${one.seq === chosen} breaks=${breaks(one)} /></li>`)}
        </ol>
        <div class="ways">
          ${wanted.length > rows && html`<a class="button quiet" href=${withQuery({ rows: rows + step })}>Show more</a>`}
          ${partial && html`<button type="button" class="quiet" onClick=${readAll}>Read older entries</button>`}
        </div>
      </div>
      ${chosen > 0 && html`<${Entry} entry=${entry} entries=${entries} seq=${chosen} edit=${query.has('edit')} />`}
    </div>
  `;
}

/**
 * Whether an entry is one that the query asks for.
 * @param {URLSearchParams} query
 * @param {(entry: LogEntry) => boolean} breaks
 * @returns {(entry: LogEntry) => boolean}
 */
function matching(query, breaks) {
  const party = query.get('party');
  const kind = kinds[query.get('show') ?? ''];
  const result = results[query.get('result') ?? ''];
  const text = (query.get('q') ?? '').toLowerCase();
  return (entry) =>
    (party === null || entry.party === party) &&
    (kind === undefined || kind(entry)) &&
    (result === undefined || result(entry, breaks)) &&
    (text === '' || JSON.stringify(entry).toLowerCase().includes(text));
}

/** @param {{ query: URLSearchParams }} given */
function Filter({ query }) {
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement }} event */
  const change = ({ currentTarget: { name, value } }) =>
    go(withQuery({ [name]: value, rows: undefined }), { replace: true });
  /** @param {string} name @param {string} label @param {readonly (readonly [string, string])[]} options */
  const select = (name, label, options) => html`
    <label class="field"><span>${label}</span>
      <select name=${name} value=${query.get(name) ?? ''} onChange=${change}>
        ${options.map(([value, title]) => html`<option value=${value} selected=${value === (query.get(name) ?? '')}>${title}</option>`)}
      </select>
    </label>
  `;
  return html`
    <form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field grow"><span>Find</span>
        <input type="search" name="q" value=${query.get('q') ?? ''} onInput=${change} placeholder="Customer, redeem code, trace, any text" />
      </label>
      ${select('party', 'Party', [
        ['', 'All'],
        ['platform', 'Platform'],
        ['client', 'Client'],
        ['vendor', 'Vendors'],
        ['sandbox', 'Control'],
      ])}
      ${select('show', 'Kind', [
        ['', 'All'],
        ['in', 'Calls taken'],
        ['out', 'Calls made'],
        ['changes', 'State changes'],
      ])}
      ${select('result', 'Result', [
        ['', 'All'],
        ['errors', 'Errors'],
        ['findings', 'Against the contract'],
      ])}
    </form>
  `;
}

/**
 * One entry as a line, which opens it.
 * @param {{ entry: LogEntry, chosen: boolean, breaks: boolean }} given
 */
function Row({ entry, chosen, breaks }) {
  const about = [entry.uid, ...entry.redeem_codes].filter(Boolean).join(' ');
  return html`
    <a class="row" href=${withQuery({ seq: entry.seq, edit: undefined })} aria-current=${chosen ? 'true' : undefined}>
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
