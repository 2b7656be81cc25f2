// @ts-check
import { api, ask } from '../api.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Problem, Tabs } from '../parts.js';
import { ClientAddress } from './address.js';
import { Certification } from './certification.js';
import { Checklist } from './checklist.js';
import { Deliveries } from './deliveries.js';
import { Webhooks } from './webhooks.js';

const views = /** @type {const} */ ([
  ['/dashboard/server', 'Calls'],
  ['/dashboard/server?view=certification', 'Certification'],
]);

/**
 * The client that the platform calls: where it is, what it was called for, what is still to be delivered to it, and
 * whether it is right.
 * @param {{ route: import('../route.js').Route }} given
 */
export function YourServer({ route: { query } }) {
  const { data: workspace, failure } = useFresh(() => ask(api.GET('/workspace')), []);
  const certifies = query.get('view') === 'certification';
  return html`
    <h1>Your server</h1>
    <${Tabs} label="Views of your server" current=${certifies ? 'Certification' : 'Calls'} views=${views} />
    ${failure && html`<${Problem} failure=${failure} />`}
    ${workspace && certifies && html`<${Certification} query=${query} workspace=${workspace} />`}
    ${
      workspace &&
      !certifies &&
      html`
        <div class="columns">
          <div class="column">
            <${ClientAddress} workspace=${workspace} />
          </div>
          <div class="column">
            <${Deliveries} />
            <${Webhooks} chosen=${query.get('webhook') ?? ''} />
          </div>
        </div>
        <${Checklist} workspace=${workspace} uid=${query.get('uid') ?? 'CUST0001'} />
      `
    }
  `;
}
