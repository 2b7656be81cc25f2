// @ts-check
import { useState } from 'preact/hooks';
import { api, ask, signInWith } from '../api.js';
import { Choice, Field, Form, filled, Twice } from '../forms.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Panel, Problem } from '../parts.js';
import { AllWorkspaces } from './all-workspaces.js';
import { NewWorkspace } from './new-workspace.js';
import { Settings } from './settings.js';

/** @typedef {import('../api.js').Schemas['Workspace']} Workspace */

/**
 * The workspace that this dashboard looks into, and other ones beside it.
 * @param {import('./simulation.js').Given} given
 */
export function Workspaces({ query }) {
  const { data: workspace, failure } = useFresh(() => ask(api.GET('/workspace')), []);
  const [created, setCreated] = useState(/** @type {Workspace | undefined} */ (undefined));
  return html`
    ${failure && html`<${Problem} failure=${failure} />`}
    <div class="columns">
      <div class="column">
        ${workspace && html`<${Present} workspace=${workspace} />`}
        ${workspace && html`<${Maker} workspace=${workspace} done=${setCreated} />`}
        ${created && html`<${NewWorkspace} workspace=${created} />`}
      </div>
      ${workspace && html`<${Settings} workspace=${workspace} />`}
    </div>
    ${workspace?.id === 'demo' && html`<${AllWorkspaces} query=${query} />`}
  `;
}

/** @param {{ workspace: Workspace }} given */
function Present({ workspace: { id, project_code } }) {
  const reset = async () => {
    await ask(api.POST('/reset'));
    return 'The workspace has its initial data again.';
  };
  const remove = async () => {
    await ask(api.DELETE('/workspaces/{id}', { params: { path: { id } } }));
    signInWith('');
  };
  return html`
    <${Panel} title="This workspace">
      <dl class="facts">
        <div><dt>Id</dt><dd><code>${id}</code></dd></div>
        <div><dt>Project</dt><dd><code>${project_code}</code></dd></div>
      </dl>
      <p class="quiet">A reset deletes customers, items, orders, ledger entries and messages, then loads the seed data. Credentials and <a href="/dashboard/simulation?view=snapshots">snapshots</a> stay.</p>
      <p class="ways">
        <${Twice} label="Reset workspace" sure="All changes since the start are lost." run=${reset} />
        ${id !== 'demo' && html`<${Twice} label="Delete workspace" sure="This also deletes its snapshots and credentials. This tab returns to the demo workspace." run=${remove} />`}
      </p>
      ${id !== 'demo' && html`<p class="ways"><button type="button" class="small" onClick=${() => signInWith('')}>Open demo workspace</button></p>`}
      ${id === 'demo' && html`<p class="quiet">The demo workspace cannot be deleted.</p>`}
    <//>
  `;
}

/** @param {{ workspace: Workspace, done: (workspace: Workspace) => void }} given */
function Maker({ workspace, done }) {
  /** @param {import('../forms.js').Fields} fields */
  const run = async ({ name, seed, clock, settings }) => {
    const wish = settings === 'these' ? { settings: settingsOf(workspace) } : {};
    const body = { ...filled({ name, seed }), clock: /** @type {'running' | 'frozen'} */ (clock), ...wish };
    const created = await ask(api.POST('/workspaces', { body }));
    done(created);
    return `${created.id} is ready.`;
  };
  return html`
    <${Panel} title="Create workspace">
      <p class="quiet">A separate sandbox with its own credentials, catalogue, customers, clock and client.</p>
      <${Form} title="Create workspace" label="Create workspace" run=${run}>
        <${Field} name="name" label="Name" maxlength="100" hint="Shown in lists and search." />
        <${Field} name="seed" label="Seed" maxlength="100" hint="Optional. Determines catalogue, customers and codes. Defaults to the demo data with unpredictable codes." />
        <${Choice} name="clock" label="Clock" options=${[['running', 'Running'], ['frozen', 'Frozen']]} />
        <${Choice} name="settings" label="Settings" options=${[['usual', 'Defaults'], ['these', 'Same as this workspace']]} />
      <//>
    <//>
  `;
}

/**
 * The settings of a workspace, for another one. The reference client is one for each of them, so its address stays
 * here.
 * @param {Workspace} workspace
 */
function settingsOf({ settings, urls }) {
  const { client_url, client_token, ...rest } = settings;
  return client_url === urls.client ? rest : settings;
}
