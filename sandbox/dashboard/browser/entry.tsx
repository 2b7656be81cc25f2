// @ts-check
import { api, ask } from './api.js';
import { complaint, curl, failed, isCall, pathHere, useOperations } from './calls.js';
import { FindingsOf, useFindingsOf } from './findings.js';
import { html } from './html.js';
import { Json } from './json.js';
import { useFresh } from './live.js';
import { Copy, Empty, Panel } from './parts.js';
import { Resend } from './resend.js';
import { go, withQuery } from './route.js';
import { TabPanels } from './tab-panels.js';
import { inUtc, When, zone } from './times.js';
import { adviceOf, docsOf } from './traffic/docs.js';
import { length, sizeOf } from './traffic/measures.js';
import { callerOf, Ends } from './traffic/row.js';

/**
 * @typedef {import('./live.js').Entry} LogEntry
 * @typedef {import('./live.js').CallEntry} CallEntry
 * @typedef {import('./live.js').StateEntry} StateEntry
 */

/**
 * A line of the traffic in full: what was sent and answered, what changed by it, and the ways to send it again.
 * @param {{ line: import('./traffic/lines.js').Line | undefined, entries: readonly LogEntry[], seq: number, tab: string | null, edit: boolean }} given
 */
export function Entry({ line, entries, seq, tab, edit }) {
  const close = html`<a href=${withQuery({ seq: undefined, edit: undefined, tab: undefined })}>Close</a>`;
  if (line === undefined) {
    return html`
      <${Panel} title=${`Entry ${seq}`} aside=${close}>
        <${Empty} title="Entry not in the log">It is older than the loaded entries, or the workspace has been reset since.<//>
      <//>
    `;
  }
  const { entry, caller, begins } = line;
  return html`
    <${Panel} title=${isCall(entry) ? (entry.operation ?? 'Call outside the contracts') : entry.event} aside=${close}>
      <${Facts} line=${line} />
      ${isCall(entry) ? html`<${Call} key=${entry.seq} call=${entry} caller=${caller} begins=${begins} entries=${entries} tab=${tab} edit=${edit} />` : html`<${Json} value=${entry.detail} label="Detail" />`}
    <//>
  `;
}

/** @param {{ line: import('./traffic/lines.js').Line }} given */
function Facts({ line: { entry, caller, took, since } }) {
  const uid = entry.uid ?? caller?.uid ?? null;
  const codes = new Set([...entry.redeem_codes, ...(caller?.redeem_codes ?? [])]);
  return html`
    <dl class="facts">
      ${isCall(entry) && html`<div><dt>${callerOf({ entry, caller })} → ${entry.party}</dt><dd><${Ends} call=${entry} caller=${caller} /></dd></div>`}
      ${isCall(entry) && html`<div><dt>${entry.method}</dt><dd><code>${entry.url}</code></dd></div>`}
      ${took !== undefined && html`<div><dt>${since ? 'Since previous step' : 'Duration'}</dt><dd>${length(took)}</dd></div>`}
      <div><dt>Sandbox time</dt><dd>${zone() !== 'UTC' && html`<${When} at=${entry.at} /> `}<span class="quiet">${inUtc(entry.at)}</span></dd></div>
      <div><dt>Trace</dt><dd><a href=${withQuery({ q: entry.trace })}><code>${entry.trace}</code></a> <${Copy} text=${entry.trace} what="trace" /></dd></div>
      ${uid !== null && html`<div><dt>Customer</dt><dd><a href=${`/dashboard/ledger?uid=${encodeURIComponent(uid)}`}>${uid}</a></dd></div>`}
      ${[...codes].map((code) => html`<div><dt>Redemption</dt><dd><a href=${`/dashboard/redemptions/${encodeURIComponent(code)}`}>${code}</a></dd></div>`)}
    </dl>
  `;
}

/** @param {{ call: CallEntry, caller: CallEntry | undefined, begins: boolean, entries: readonly LogEntry[], tab: string | null, edit: boolean }} given */
function Call({ call, caller, begins, entries, tab, edit }) {
  const operations = useOperations();
  const { data: workspace } = useFresh(() => ask(api.GET('/workspace')), []);
  const judged = useFindingsOf(call, caller);
  const operation = operations.find((one) => one.operation === call.operation);
  const path = pathHere(call);
  // All that happened in a trace is because of the call that it came from; because of one on its way, what its host did.
  const changes = /** @type {StateEntry[]} */ (
    entries.filter((one) => one.kind === 'state' && one.trace === call.trace && (begins || one.party === call.party))
  );
  const said = failed(call) ? complaint(call) : '';
  const [docs, advice] = [docsOf(call, operation?.api), adviceOf(call.reply)];
  const of = (/** @type {'request' | 'reply'} */ direction) =>
    judged.found?.filter((finding) => finding.direction === direction);
  const notices = new Set([...call.notices, ...(caller?.notices ?? [])]);
  const panels = [
    {
      ...{ id: 'request', title: 'Request' },
      children: html`<${Message} label="Request" headers=${call.request_headers} body=${call.request} findings=${of('request')} />`,
    },
    {
      ...{ id: 'response', title: 'Response' },
      children: html`<${Message} label="Response" headers=${call.reply_headers} body=${call.reply} findings=${of('reply')} />`,
    },
    { id: 'changes', title: 'Changes', count: changes.length, children: html`<${Changes} changes=${changes} />` },
    {
      ...{ id: 'findings', title: 'Findings', count: judged.found?.length },
      children: html`<${FindingsOf} call=${call} judged=${judged} />`,
    },
  ];
  /** @param {string} id */
  const choose = (id) => go(withQuery({ tab: id }), { replace: true });
  return html`
    ${docs !== undefined && html`<p><a href=${docs}>${call.operation} in the reference</a></p>`}
    ${said !== '' && html`<div class="notice bad"><p>${said}</p>${advice !== undefined && html`<p><a href=${advice}>What this means and how to fix it</a></p>`}</div>`}
    ${notices.size > 0 && html`<div class="notice hint">${[...notices].map((notice) => html`<p>${notice}</p>`)}</div>`}
    <${TabPanels} label="Parts of the call" panels=${panels} current=${tab} choose=${choose} />
    <p class="ways">
      <${Copy} text=${curl(call, operation, workspace)} label="Copy as curl" what="" />
      ${path !== undefined && !edit && html`<a class="button small" href=${withQuery({ seq: call.seq, edit: 1 })}>Edit and resend</a>`}
    </p>
    ${path === undefined && html`<p class="quiet">This call went to another server, so the dashboard cannot resend it. Copy it as curl instead.</p>`}
    ${path !== undefined && workspace !== undefined && operations.length > 0 && html`<${Resend} call=${call} path=${path} operation=${operation} workspace=${workspace} open=${edit} />`}
  `;
}

/**
 * One message of a call: its headers and its body.
 * @param {{ label: string, headers: Readonly<Record<string, string>> | undefined, body: unknown, findings: readonly import('./findings.js').Finding[] | undefined }} given
 */
function Message({ label, headers, body, findings = [] }) {
  return html`
    <h3>Headers</h3>
    <${Headers} headers=${headers} findings=${findings} />
    <h3>Body <span class="quiet">${sizeOf(body)}</span></h3>
    ${body === null ? html`<p class="quiet">No body.</p>` : html`<${Json} value=${body} label=${`${label} body`} findings=${findings} />`}
  `;
}

/** @param {{ headers: Readonly<Record<string, string>> | undefined, findings: readonly import('./findings.js').Finding[] }} given */
function Headers({ headers, findings }) {
  if (headers === undefined) return html`<p class="quiet">Not recorded.</p>`;
  const entries = Object.entries(headers);
  if (entries.length === 0) return html`<p class="quiet">No headers.</p>`;
  const wrong = new Set(findings.map(({ pointer }) => /^\/headers\/(.+)$/.exec(pointer)?.[1]?.toLowerCase()));
  return html`
    <dl class="headers">
      ${entries.map(([name, value]) => html`<div class=${wrong.has(name) ? 'found' : undefined}><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}
    </dl>
  `;
}

/** @param {{ changes: readonly StateEntry[] }} given */
function Changes({ changes }) {
  if (changes.length === 0) return html`<p class="quiet">This call changed nothing.</p>`;
  return html`
    <ul class="rows">
      ${changes.map(({ seq, event, party, detail }) => html`<li><a class="row" href=${withQuery({ seq })}><span class=${`party ${party}`}>${party}</span><span class="what"><strong>${event}</strong><span class="quiet">${short(detail)}</span></span></a></li>`)}
    </ul>
  `;
}

/** @param {Readonly<Record<string, unknown>>} detail */
function short(detail) {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
