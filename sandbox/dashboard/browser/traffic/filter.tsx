// @ts-check
/** Which part of the traffic is shown. */
import { failed, isCall } from '../calls.js';
import { html } from '../html.js';
import { go, withQuery } from '../route.js';

/** @typedef {import('../live.js').Entry} LogEntry */

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

/** Where programs call. Everything else is page loads, or addresses that lead nowhere. */
const apis = ['rewards', 'client', 'general', 'sandbox', 'gateway'];

/**
 * Whether an entry is a call of an API or a change; a page load, `/robots.txt` and the like are neither.
 * @param {LogEntry} entry
 */
function isOfApi(entry) {
  if (entry.kind !== 'call_in') return true;
  return apis.includes(entry.url.split(/[/?]/)[1] ?? '');
}

/** Whether the query leaves page loads out, as it does unless it says otherwise. @param {URLSearchParams} query */
function isApiOnly(query) {
  return query.get('pages') === null;
}

/**
 * What can be found in an entry; entries do not change, so each is written out once.
 * @type {WeakMap<LogEntry, string>}
 */
const texts = new WeakMap();

/**
 * Whether an entry is one that the query asks for.
 * @param {URLSearchParams} query
 * @param {(entry: LogEntry) => boolean} breaks
 * @returns {(entry: LogEntry) => boolean}
 */
export function matching(query, breaks) {
  const party = query.get('party');
  const kind = kinds[query.get('show') ?? ''];
  const result = results[query.get('result') ?? ''];
  const text = (query.get('q') ?? '').toLowerCase();
  const apiOnly = isApiOnly(query);
  return (entry) =>
    (!apiOnly || isOfApi(entry)) &&
    (party === null || entry.party === party) &&
    (kind === undefined || kind(entry)) &&
    (result === undefined || result(entry, breaks)) &&
    (text === '' || textOf(entry).includes(text));
}

/** @param {LogEntry} entry */
function textOf(entry) {
  const text = texts.get(entry) ?? JSON.stringify(entry).toLowerCase();
  texts.set(entry, text);
  return text;
}

/**
 * Fields to choose by. What is chosen is in the address.
 * @param {{ query: URLSearchParams }} given
 */
export function Filter({ query }) {
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement }} event */
  const change = ({ currentTarget: { name, value } }) => go(withQuery({ [name]: value }), { replace: true });
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
        ['in', 'Calls received'],
        ['out', 'Calls sent'],
        ['changes', 'State changes'],
      ])}
      ${select('result', 'Result', [
        ['', 'All'],
        ['errors', 'Errors'],
        ['findings', 'Contract violations'],
      ])}
      <button type="button" class="small chip" aria-pressed=${isApiOnly(query)} onClick=${() => go(withQuery({ pages: isApiOnly(query) ? 1 : undefined }), { replace: true })}>API calls only</button>
    </form>
  `;
}
