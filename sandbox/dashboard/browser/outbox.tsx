// @ts-check
import { useRef } from 'preact/hooks';
import { api, ask } from './api.js';

import { html } from './html.js';
import { useFresh } from './live.js';
import { Code, Copy, Empty, Problem } from './parts.js';
import { go, withQuery } from './route.js';
import { When } from './times.js';

/** @typedef {import('./api.js').Schemas['Message']} Message */

/** Messages that are drawn at once. */
const step = 50;

const sources = /** @type {const} */ ({ reference_client: 'Reference client', gateway: 'Message gateway' });

const kinds = /** @type {const} */ ({
  otp: 'One-time password',
  voucher: 'Voucher',
  delivered: 'Product delivered',
  rejected: 'Order rejected',
  reversed: 'Points refunded',
  credited: 'Points credited',
  other: 'Other message',
});

/**
 * What the client would have sent to its customers, the reference client or another by the gateway, as it comes, the
 * newest first.
 * @param {{ route: import('./route.js').Route }} given
 */
export function Outbox({ route: { query } }) {
  const { data, failure } = useFresh(() => ask(api.GET('/messages', { params: { query: { limit: 1000 } } })), []);
  const kind = query.get('kind') ?? '';
  const source = query.get('source') ?? '';
  const customer = (query.get('uid') ?? '').toLowerCase();
  const all = data?.items ?? [];
  const wanted = all.filter(
    (message) =>
      (kind === '' || message.kind === kind) &&
      (source === '' || message.source === source) &&
      (message.uid ?? '').toLowerCase().includes(customer),
  );
  const rows = Number(query.get('rows') ?? step);
  const seen = useSeen(data?.items);
  const fresh = wanted.filter(({ seq }) => seq > seen);
  return html`
    <h1>Outbox</h1>
    <p class="quiet">Messages that the client would send by SMS and WhatsApp. Nothing leaves the sandbox.</p>
    <${Filter} query=${query} />
    ${failure && html`<${Problem} failure=${failure} />`}
    ${data !== undefined && html`<p class="quiet">${wanted.length} of ${all.length} messages</p>`}
    <p role="status" class="unseen">${announced(fresh)}</p>
    ${data !== undefined && all.length === 0 && html`<${First} />`}
    ${all.length > 0 && wanted.length === 0 && html`<${Empty} title="No matches"><a href="/dashboard/outbox">Clear filters</a><//>`}
    <ol class="messages">
      ${wanted.slice(0, rows).map((one) => html`<li key=${one.seq}><${Shown} message=${one} fresh=${one.seq > seen} /></li>`)}
    </ol>
    ${wanted.length > rows && html`<p class="ways"><a class="button quiet" href=${withQuery({ rows: rows + step })}>Show more</a></p>`}
  `;
}

/**
 * The highest number that was there when the screen was opened: what comes after it is new. A reset starts over.
 * @param {readonly Message[] | undefined} messages
 */
function useSeen(messages) {
  const seen = useRef(/** @type {number | undefined} */ (undefined));
  const highest = messages?.[0]?.seq ?? 0;
  if (messages !== undefined && (seen.current === undefined || highest < seen.current)) seen.current = highest;
  return seen.current ?? 0;
}

/**
 * What is said of the newest new message.
 * @param {readonly Message[]} fresh
 */
function announced([newest, ...more]) {
  if (newest === undefined) return '';
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  return `New: ${kinds[newest.kind].toLowerCase()} for ${receiver(newest)}${others}.`;
}

/**
 * Whom a message is for: the customer, or who else has the number.
 * @param {Pick<Message, 'uid' | 'mobile'>} message
 */
function receiver({ uid, mobile }) {
  return uid ?? mobile;
}

/** @param {{ query: URLSearchParams }} given */
function Filter({ query }) {
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement }} event */
  const change = ({ currentTarget: { name, value } }) =>
    go(withQuery({ [name]: value, rows: undefined }), { replace: true });
  return html`
    <form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field grow"><span>Customer</span>
        <input type="search" name="uid" value=${query.get('uid') ?? ''} onInput=${change} placeholder="CUST0007" />
      </label>
      <${Choice} name="kind" label="Kind" titles=${kinds} query=${query} change=${change} />
      <${Choice} name="source" label="Sent by" titles=${sources} query=${query} change=${change} />
    </form>
  `;
}

/**
 * One of several, or all.
 * @param {{
 *   name: string,
 *   label: string,
 *   titles: Readonly<Record<string, string>>,
 *   query: URLSearchParams,
 *   change: (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) => void,
 * }} given
 */
function Choice({ name, label, titles, query, change }) {
  const chosen = query.get(name) ?? '';
  return html`
    <label class="field"><span>${label}</span>
      <select name=${name} value=${chosen} onChange=${change}>
        ${[['', 'All'], ...Object.entries(titles)].map(([value, title]) => html`<option value=${value} selected=${value === chosen}>${title}</option>`)}
      </select>
    </label>
  `;
}

/** @param {{ message: Message, fresh: boolean }} given */
function Shown({ message: { source, uid, kind, channel, mobile, reference_id, otp, expired, text, at }, fresh }) {
  const whom = receiver({ uid, mobile });
  return html`
    <article class=${fresh ? 'message new' : 'message'}>
      <div class="head">
        <strong>${kinds[kind]}</strong>
        ${uid !== null && html`<a href=${withQuery({ uid, rows: undefined })}>${uid}</a>`}
        ${fresh && html`<span class="badge earned">new</span>`}
        ${expired && html`<span class="badge stuck">expired</span>`}
        <span class="quiet">${channel} to ${mobile}${source === 'gateway' && ' through the gateway'}, <${When} at=${at} /></span>
      </div>
      ${otp !== undefined && html`<p class="ways"><span class="otp">${otp}</span> <${Copy} text=${otp} label="Copy password" what=${`for ${whom}`} /></p>`}
      <p>${text}</p>
      ${reference_id !== undefined && html`<p class="quiet ways">Reference <code>${reference_id}</code></p>`}
      <p class="ways"><${Copy} text=${text} label="Copy message" what=${`to ${whom}`} /></p>
    </article>
  `;
}

/** What makes a first message. */
function First() {
  const { data: workspace } = useFresh(() => ask(api.GET('/workspace')), []);
  return html`
    <${Empty} title="No messages yet">
      <a href="/microsite/">Sign in on the microsite</a> to receive a one-time password here; vouchers arrive when they are delivered. Or request a password as the microsite does:
    <//>
    ${
      workspace !== undefined &&
      html`<${Code} label="Command that requests a one-time password" value=${`curl -s -u '${workspace.credentials.basic.username}:${workspace.credentials.basic.password}' \\
  -H 'Content-Type: application/json' -d '{"customer_id":"CUST0007"}' \\
  ${workspace.urls.client}/api/v1/auth/generate-otp`} />`
    }
  `;
}
