// @ts-check
import { api, ask } from './api.js';
import { complaint, curl, isCall, pathHere, useOperations } from './calls.js';
import { FindingsOf } from './findings.js';
import { html } from './html.js';
import { useFresh } from './live.js';
import { Code, Copy, Empty, Panel, Status } from './parts.js';
import { Resend } from './resend.js';
import { withQuery } from './route.js';

/**
 * @typedef {import('./live.js').Entry} LogEntry
 * @typedef {import('./live.js').CallEntry} CallEntry
 * @typedef {import('./live.js').StateEntry} StateEntry
 */

/**
 * An entry of the log in full: what was sent and answered, what changed by it, and the ways to send it again.
 * @param {{ entry: LogEntry | undefined, entries: readonly LogEntry[], seq: number, edit: boolean }} given
 */
export function Entry({ entry, entries, seq, edit }) {
  const close = html`<a href=${withQuery({ seq: undefined, edit: undefined })}>Close</a>`;
  if (entry === undefined) {
    return html`
      <${Panel} title=${`Entry ${seq}`} aside=${close}>
        <${Empty} title="The log does not have it">It is older than what was read, or the workspace was reset since.<//>
      <//>
    `;
  }
  return html`
    <${Panel} title=${isCall(entry) ? (entry.operation ?? 'A call outside the contracts') : entry.event} aside=${close}>
      <dl class="facts">
        ${isCall(entry) && html`<div><dt>${entry.kind === 'call_in' ? 'Taken by' : 'Sent to'} ${entry.party}</dt><dd><${Status} status=${entry.status} /></dd></div>`}
        ${isCall(entry) && html`<div><dt>${entry.method}</dt><dd><code>${entry.url}</code></dd></div>`}
        <div><dt>Sandbox time</dt><dd><time>${entry.at}</time></dd></div>
        <div><dt>Trace</dt><dd><a href=${withQuery({ q: entry.trace })}><code>${entry.trace}</code></a> <${Copy} text=${entry.trace} what="trace" /></dd></div>
        ${entry.uid !== null && html`<div><dt>Customer</dt><dd><a href=${`/dashboard/ledger?uid=${encodeURIComponent(entry.uid)}`}>${entry.uid}</a></dd></div>`}
        ${entry.redeem_codes.map((code) => html`<div><dt>Redemption</dt><dd><a href=${`/dashboard/redemptions/${encodeURIComponent(code)}`}>${code}</a></dd></div>`)}
      </dl>
      ${isCall(entry) ? html`<${Call} call=${entry} entries=${entries} edit=${edit} />` : html`<${Code} value=${entry.detail} label="Detail" />`}
    <//>
  `;
}

/** @param {{ call: CallEntry, entries: readonly LogEntry[], edit: boolean }} given */
function Call({ call, entries, edit }) {
  const operations = useOperations();
  const { data: workspace } = useFresh(() => ask(api.GET('/workspace')), []);
  const operation = operations.find((one) => one.operation === call.operation);
  const path = pathHere(call);
  const changes = /** @type {StateEntry[]} */ (
    entries.filter((one) => one.kind === 'state' && one.trace === call.trace)
  );
  const said = call.status === null || call.status >= 400 ? complaint(call) : '';
  return html`
    ${said !== '' && html`<p class="notice bad">${said}</p>`}
    ${call.notices.map((notice) => html`<p class="notice hint">${notice}</p>`)}
    <${FindingsOf} key=${call.seq} call=${call} />
    ${
      changes.length > 0 &&
      html`
        <h3>What changed</h3>
        <ul class="rows">
          ${changes.map(({ seq, event, party, detail }) => html`<li><a class="row" href=${withQuery({ seq })}><span class=${`party ${party}`}>${party}</span><span class="what"><strong>${event}</strong><span class="quiet">${short(detail)}</span></span></a></li>`)}
        </ul>
      `
    }
    <h3>Request</h3>
    ${call.request === null ? html`<p class="quiet">No body.</p>` : html`<${Code} value=${call.request} label="Request body" />`}
    <h3>Reply</h3>
    ${call.reply === null ? html`<p class="quiet">No body.</p>` : html`<${Code} value=${call.reply} label="Reply body" />`}
    <p class="ways">
      <${Copy} text=${curl(call, operation, workspace)} label="Copy as curl" what="" />
      ${path !== undefined && !edit && html`<a class="button small" href=${withQuery({ seq: call.seq, edit: 1 })}>Edit and resend</a>`}
    </p>
    ${path === undefined && html`<p class="quiet">It went to another server; a browser cannot send it there again from here. Copy it as curl.</p>`}
    ${path !== undefined && workspace !== undefined && operations.length > 0 && html`<${Resend} key=${call.seq} call=${call} path=${path} operation=${operation} workspace=${workspace} open=${edit} />`}
  `;
}

/** @param {Readonly<Record<string, unknown>>} detail */
function short(detail) {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
