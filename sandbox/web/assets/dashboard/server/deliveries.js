// @ts-check
import { allOf, api, ask } from '../api.js';
import { html } from '../html.js';
import { tell, useFresh } from '../live.js';
import { Action, Empty, Panel, Problem } from '../parts.js';
import { withQuery } from '../route.js';

/** @typedef {import('../api.js').Schemas['Delivery']} Delivery */

const kinds = { creditPoints: 'Credit', reportStatus: 'Status report', sendWebhook: 'Webhook' };

/** What was not acknowledged yet: due again some time, or given up on. */
export function Deliveries() {
  const { data, failure } = useFresh(async () => {
    const [clock, items] = await Promise.all([
      ask(api.GET('/clock')),
      allOf((query) => api.GET('/deliveries', { params: { query } })),
    ]);
    return { clock, items };
  }, []);
  const items = data?.items ?? [];
  const parked = items.filter(({ status }) => status === 'parked').length;
  const replay = async () => {
    await ask(api.POST('/deliveries/replay'));
    tell();
    return 'All of them are due now.';
  };
  const settle = async () => {
    const { ran } = await ask(api.POST('/settle'));
    tell();
    return ran === 1 ? '1 piece of work ran.' : `${ran} pieces of work ran.`;
  };
  return html`
    <${Panel} title="Still to be delivered" aside=${parked > 0 && html`<${Action} label="Replay all parked" what="deliveries" run=${replay} />`}>
      ${failure && html`<${Problem} failure=${failure} />`}
      ${data && items.length === 0 && html`<${Empty} title="Everything was acknowledged">Credits, status reports and webhooks wait here while the receiver does not answer.<//>`}
      <ul class="rows">
        ${items.map((delivery) => html`<li key=${delivery.id}><${Line} delivery=${delivery} /></li>`)}
      </ul>
      ${
        items.length > 0 &&
        data?.clock.mode === 'frozen' &&
        html`
        <p class="ways">
          <span class="quiet">Time stands still: what is due now runs when you settle; later ones when you <a href="/dashboard/simulation?view=clock">advance the clock</a>.</span>
          <${Action} label="Settle" what="run what is due now" run=${settle} />
        </p>
      `
      }
    <//>
  `;
}

/** @param {{ delivery: Delivery }} given */
function Line({ delivery }) {
  const { id, kind, status, tries, next_at, reason, redeem_code, transaction_id, webhook_id } = delivery;
  const replay = async () => {
    await ask(api.POST('/deliveries/{id}/replay', { params: { path: { id } } }));
    tell();
    return 'Due now.';
  };
  return html`
    <div class="row">
      <span class="what">
        <strong>${kinds[kind]} ${transaction_id}${redeem_code && html`<a href=${`/dashboard/redemptions/${encodeURIComponent(redeem_code)}`}>${redeem_code}</a>`}${webhook_id && html`<a href=${withQuery({ webhook: webhook_id })}>${webhook_id}</a>`}</strong>
        <span class="quiet">
          ${tries === 0 ? 'Not tried yet' : tries === 1 ? '1 try' : `${tries} tries`}${next_at && html`, next at <time datetime=${next_at}>${next_at.slice(0, 19).replace('T', ' ')}</time>`}${reason && `: ${reason}`}
        </span>
      </span>
      <span class=${status === 'parked' ? 'badge stuck' : 'badge'}>${status}</span>
      <${Action} label="Replay" what=${`delivery ${id}`} run=${replay} />
    </div>
  `;
}
