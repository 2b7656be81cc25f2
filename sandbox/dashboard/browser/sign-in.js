// @ts-check
import { useState } from 'preact/hooks';
import { adminToken, signInWith } from './api.js';
import { html } from './html.js';

/** Asks for the admin token of a workspace (OP-68). */
export function SignIn() {
  const [token, setToken] = useState('');
  const wrong = adminToken() !== '';
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    signInWith(token.trim());
  };
  return html`
    <h1>Open a workspace</h1>
    <form class="panel narrow" onSubmit=${submit}>
      <p>
        ${wrong ? 'No workspace has this admin token.' : 'From another machine, the dashboard requires an admin token.'}
        ${' '}It is in the response of <code>GET /sandbox/v1/workspace</code> and of the call that created the workspace.
      </p>
      <label class="field">
        <span>Admin token</span>
        <input
          name="token" type="password" autocomplete="off" required
          aria-invalid=${wrong ? 'true' : undefined}
          value=${token} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <div class="ways">
        <button>Open workspace</button>
        ${wrong && html`<button type="button" class="quiet" onClick=${() => signInWith('')}>Clear token</button>`}
      </div>
    </form>
  `;
}
