// @ts-check
import { signInWith } from '../api.js';
import { named } from '../credentials.js';
import { html } from '../html.js';
import { Copy, Panel } from '../parts.js';

/**
 * A new workspace: its credentials, and a button that opens its dashboard.
 * @param {{ workspace: import('../api.js').Schemas['Workspace'] }} given
 */
export function NewWorkspace({ workspace: { id, admin_token, urls, credentials } }) {
  const addresses = [
    ['Platform API', urls.rewards],
    ['General API', urls.general],
    ['Portal', urls.portal],
    ['Microsite', urls.microsite],
  ];
  const rows = [['Admin token', admin_token], ...named(credentials), ...addresses];
  return html`
    <${Panel} title=${`Workspace ${id}`}>
      <p class="quiet">
        Save the admin token: only this page and <code>GET /sandbox/v1/workspace</code> of the workspace show it. Call the platform at these
        addresses: they identify the workspace, even with tokens that your own server issued.
      </p>
      <dl class="facts">
        ${rows.map(([name = '', value = '']) => html`<div><dt>${name}</dt><dd><code>${value}</code> <${Copy} text=${value} what=${`${name} of ${id}`} /></dd></div>`)}
      </dl>
      <p class="ways">
        <button type="button" class="small main" onClick=${() => signInWith(admin_token)}>Open dashboard<span class="unseen"> of ${id} in this tab</span></button>
      </p>
    <//>
  `;
}
