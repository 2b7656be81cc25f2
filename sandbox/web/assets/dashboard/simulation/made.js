// @ts-check
import { signInWith } from '../api.js';
import { named } from '../credentials.js';
import { html } from '../html.js';
import { Copy, Panel } from '../parts.js';

/**
 * A workspace that was just made: its credentials, and the way to its dashboard.
 * @param {{ workspace: import('../api.js').Schemas['Workspace'] }} given
 */
export function Made({ workspace: { id, admin_token, urls, credentials } }) {
  const rows = [['Admin token', admin_token], ...named(credentials), ['Microsite', urls.microsite]];
  return html`
    <${Panel} title=${`Workspace ${id}`}>
      <p class="quiet">
        Keep the admin token: it is shown here and in its own <code>GET /sandbox/v1/workspace</code> only. The addresses are those of
        this workspace; credentials decide which one a call belongs to.
      </p>
      <dl class="facts">
        ${rows.map(([name = '', value = '']) => html`<div><dt>${name}</dt><dd><code>${value}</code> <${Copy} text=${value} what=${`${name} of ${id}`} /></dd></div>`)}
      </dl>
      <p class="ways">
        <button type="button" class="small main" onClick=${() => signInWith(admin_token)}>Open its dashboard<span class="unseen"> of ${id} in this tab</span></button>
      </p>
    <//>
  `;
}
