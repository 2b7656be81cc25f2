// @ts-check
import { api, ask } from '../api.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Problem } from '../parts.js';
import { ClientAddress } from './address.js';
import { Checklist } from './checklist.js';
import { Deliveries } from './deliveries.js';
import { Webhooks } from './webhooks.js';

/**
 * The client that the platform calls: where it is, what it was called for, and what is still to be delivered to it.
 * @param {{ route: import('../route.js').Route }} given
 */
export function YourServer({ route: { query } }) {
  const { data: workspace, failure } = useFresh(() => ask(api.GET('/workspace')), []);
  return html`
    <h1>Your server</h1>
    ${failure && html`<${Problem} failure=${failure} />`}
    ${
      workspace &&
      html`
        <div class="columns">
          <div class="column">
            <${ClientAddress} workspace=${workspace} />
            <${Checklist} workspace=${workspace} uid=${query.get('uid') ?? 'CUST0001'} />
          </div>
          <div class="column">
            <${Deliveries} />
            <${Webhooks} chosen=${query.get('webhook') ?? ''} />
          </div>
        </div>
      `
    }
  `;
}
