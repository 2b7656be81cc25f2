// @ts-check
import { api, ask } from '../api.js';
import { Field, Form, filled } from '../forms.js';
import { html } from '../html.js';
import { tell } from '../live.js';
import { Action, Copy, Panel } from '../parts.js';

/** @typedef {import('../api.js').Schemas['Workspace']} Workspace */

/**
 * Where the platform finds the client, and a form to put another one there.
 * @param {{ workspace: Workspace }} given
 */
export function ClientAddress({ workspace: { settings, urls } }) {
  const { client_url, client_token } = settings;
  const reference = client_url === urls.client;
  /** @param {import('../forms.js').Fields} fields */
  const save = async ({ client_url, client_token }) => {
    await ask(api.PATCH('/workspace', { body: { settings: filled({ client_url, client_token }) } }));
    return 'Saved. The platform calls this address from now on.';
  };
  const back = async () => {
    await ask(api.PATCH('/workspace', { body: { settings: { client_url: null, client_token: null } } }));
    tell();
    return 'The platform calls the reference client again.';
  };
  return html`
    <${Panel} title="Client" aside=${html`<span class="badge earned">${reference ? 'reference client' : 'your server'}</span>`}>
      <dl class="facts">
        <div><dt>Address</dt><dd><code>${client_url}</code> <${Copy} text=${client_url} what="address of the client" /></dd></div>
        <div><dt>Service token</dt><dd><code>${client_token}</code> <${Copy} text=${client_token} what="service token" /></dd></div>
      </dl>
      <${Form} title="Address of your server" label="Save address" run=${save}>
        <${Field} name="client_url" label="Address of your server" type="url" maxlength="2048" required grow placeholder="http://localhost:8080"
          hint="https, or http on this machine or in a private range allowed with --allow-address. The paths of the client API are appended." />
        <${Field} name="client_token" label="Service token" maxlength="4096" pattern="[!-~]+" grow
          hint="Sent as Authorization: Bearer when no customer is signed in. Leave empty to keep the current token." />
      <//>
      ${!reference && html`<p class="ways"><${Action} label="Use reference client" run=${back} /></p>`}
    <//>
  `;
}
