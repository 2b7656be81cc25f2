// @ts-check
import { useState } from 'preact/hooks';
import { api, ask, signInWith } from '../api.js';
import { Choice, Field, Form, filled, Twice } from '../forms.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Panel, Problem } from '../parts.js';
import { AllWorkspaces } from './all-workspaces.js';
import { Made } from './made.js';
import { Settings } from './settings.js';

/** @typedef {import('../api.js').Schemas['Workspace']} Workspace */

/**
 * The workspace that this dashboard looks into, and other ones beside it.
 * @param {import('./simulation.js').Given} given
 */
export function Workspaces({ query }) {
  const { data: workspace, failure } = useFresh(() => ask(api.GET('/workspace')), []);
  const [made, setMade] = useState(/** @type {Workspace | undefined} */ (undefined));
  return html`
    ${failure && html`<${Problem} failure=${failure} />`}
    <div class="columns">
      <div class="column">
        ${workspace && html`<${Present} workspace=${workspace} />`}
        ${workspace && html`<${Maker} workspace=${workspace} made=${setMade} />`}
        ${made && html`<${Made} workspace=${made} />`}
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
    return 'Everything is as it was at the start.';
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
      <p class="quiet">A reset drops customers, items, orders, entries and messages, and seeds anew. Credentials stay; so do <a href="/dashboard/simulation?view=snapshots">snapshots</a>.</p>
      <p class="ways">
        <${Twice} label="Reset" what="this workspace" sure="Everything since the start is lost." run=${reset} />
        ${id !== 'demo' && html`<${Twice} label="Delete" what="this workspace" sure="It goes with its snapshots and credentials; this tab goes back to the demo workspace." run=${remove} />`}
      </p>
      ${id !== 'demo' && html`<p class="ways"><button type="button" class="small" onClick=${() => signInWith('')}>Back to the demo workspace</button></p>`}
      ${id === 'demo' && html`<p class="quiet">The demo workspace cannot be deleted.</p>`}
    <//>
  `;
}

/** @param {{ workspace: Workspace, made: (workspace: Workspace) => void }} given */
function Maker({ workspace, made }) {
  /** @param {import('../forms.js').Fields} fields */
  const run = async ({ name, seed, clock, settings }) => {
    const wish = settings === 'these' ? { settings: settingsOf(workspace) } : {};
    const body = { ...filled({ name, seed }), clock: /** @type {'running' | 'frozen'} */ (clock), ...wish };
    const workspaceMade = await ask(api.POST('/workspaces', { body }));
    made(workspaceMade);
    return `${workspaceMade.id} is ready.`;
  };
  return html`
    <${Panel} title="Make a workspace">
      <p class="quiet">A sandbox of its own, with credentials, catalogue, customers, clock and client of its own.</p>
      <${Form} title="a workspace" label="Make" run=${run}>
        <${Field} name="name" label="Name" maxlength="100" hint="To find it again by." />
        <${Field} name="seed" label="Seed" maxlength="100" hint="Decides catalogue, customers and codes. Left empty: those of the demo workspace, and codes that nobody can tell before." />
        <${Choice} name="clock" label="Clock" options=${[['running', 'Runs by itself'], ['frozen', 'Stands still']]} />
        <${Choice} name="settings" label="Settings" options=${[['usual', 'The defaults'], ['these', 'Those of this workspace']]} />
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
