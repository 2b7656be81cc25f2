/** Which part of the traffic is shown. */

import { failed, isCall } from '../calls.ts';
import { FilterChoice, Filters } from '../filters.tsx';
import type { Entry as LogEntry } from '../live.ts';
import { go, withQuery } from '../route.ts';

const kinds: Readonly<Record<string, (entry: LogEntry) => boolean>> = {
  in: (entry) => entry.kind === 'call_in',
  out: (entry) => entry.kind === 'call_out',
  changes: (entry) => entry.kind === 'state',
};

const results: Readonly<Record<string, (entry: LogEntry, breaks: (entry: LogEntry) => boolean) => boolean>> = {
  errors: (entry) => isCall(entry) && failed(entry),
  findings: (entry, breaks) => breaks(entry),
};

/** Where programs call. Everything else is page loads, or addresses that lead nowhere. */
const apis = ['rewards', 'client', 'general', 'sandbox', 'gateway'];

/** Whether an entry is a call of an API or a change; a page load, `/robots.txt` and the like are neither. */
function isOfApi(entry: LogEntry) {
  if (entry.kind !== 'call_in') return true;
  return apis.includes(entry.url.split(/[/?]/)[1] ?? '');
}

/** Whether the query leaves page loads out, as it does unless it says otherwise. */
function isApiOnly(query: URLSearchParams) {
  return query.get('pages') === null;
}

/** What can be found in an entry; entries do not change, so each is written out once. */
const texts: WeakMap<LogEntry, string> = new WeakMap();

/** Whether an entry is one that the query asks for. */
export function matching(query: URLSearchParams, breaks: (entry: LogEntry) => boolean): (entry: LogEntry) => boolean {
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

function textOf(entry: LogEntry) {
  const text = texts.get(entry) ?? JSON.stringify(entry).toLowerCase();
  texts.set(entry, text);
  return text;
}

const partyTitles = { platform: 'Platform', client: 'Client', vendor: 'Vendors', sandbox: 'Control' };
const kindTitles = { in: 'Calls received', out: 'Calls sent', changes: 'State changes' };
const resultTitles = { errors: 'Errors', findings: 'Contract violations' };

export function Filter({ query }: { query: URLSearchParams }) {
  return (
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
  );
}
