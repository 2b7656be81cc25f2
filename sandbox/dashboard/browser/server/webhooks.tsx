// @ts-check
import { api, ask } from '../api.js';
import { html } from '../html.js';
import { useFeed, useFresh } from '../live.js';
import { Empty, Panel, Problem, Status } from '../parts.js';
import { withQuery } from '../route.js';
import { Time } from '../times.js';

/** @typedef {import('../api.js').Schemas['WebhookTry']} WebhookTry */

const styles = { delivered: 'badge earned', retrying: 'badge', parked: 'badge stuck', dropped: 'badge stuck' };

/**
 * The webhooks that were registered, and the tries of one of them.
 * @param {{ chosen: string }} given
 */
export function Webhooks({ chosen }) {
  const { entries } = useFeed();
  const registered = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'state' && entry.event === 'webhook.registered'
        ? [[String(entry.detail.webhook_id), String(entry.detail.url)]]
        : [],
    ),
  );
  const removed = entries.flatMap((entry) =>
    entry.kind === 'state' && entry.event === 'webhook.removed' ? [String(entry.detail.webhook_id)] : [],
  );
  const open = chosen !== '' && !registered.has(chosen);
  return html`
    <${Panel} title="Webhooks">
      ${registered.size === 0 && !open && html`<${Empty} title="No webhooks registered">Register one with <code>registerWebhook</code> to receive catalogue changes.<//>`}
      <ul class="rows">
        ${[...registered].map(
          ([id, url]) => html`
            <li key=${id}>
              <a class="row" href=${withQuery({ webhook: id === chosen ? undefined : id })} aria-current=${id === chosen ? 'true' : undefined}>
                <span class="what"><strong>${url}</strong><span class="quiet">${id}</span></span>
                ${removed.includes(id) && html`<span class="badge stuck">removed</span>`}
              </a>
            </li>
          `,
        )}
      </ul>
      ${chosen !== '' && html`<${Tries} id=${chosen} key=${chosen} />`}
    <//>
  `;
}

/** @param {{ id: string }} given */
function Tries({ id }) {
  const params = { path: { webhook_id: id } };
  const { data, failure } = useFresh(() => ask(api.GET('/webhooks/{webhook_id}/deliveries', { params })), [id]);
  return html`
    <h3>Attempts for ${id}</h3>
    ${failure && html`<${Problem} failure=${failure} />`}
    ${data?.items.length === 0 && html`<${Empty} title="No attempts yet">To send one, change an item with the <a href="/dashboard/simulation?view=triggers">catalogue change trigger</a>.<//>`}
    <ol class="rows">
      ${data?.items.toReversed().map((one) => html`<li key=${one.seq}><${Line} one=${one} /></li>`)}
    </ol>
  `;
}

/** @param {{ one: WebhookTry }} given */
function Line({ one }) {
  const { at, status, reason, state, event, message_id, trace } = one;
  return html`
    <div class="row">
      <span class="quiet"><${Time} at=${at} /></span>
      <span class="what">
        <strong>${event}, attempt ${one.try}</strong>
        <span class="quiet"><a href=${`/dashboard/traffic?q=${encodeURIComponent(trace)}`}>${message_id}</a>${reason && `: ${reason}`}</span>
      </span>
      <span class=${styles[state]}>${state}</span>
      <${Status} status=${status} />
    </div>
  `;
}
