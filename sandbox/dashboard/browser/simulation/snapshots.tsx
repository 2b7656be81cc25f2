// @ts-check
import { useState } from 'preact/hooks';
import { api, ask } from '../api.js';
import { Field, Form, filled, Twice } from '../forms.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Action, Empty, Panel, Problem } from '../parts.js';
import { When } from '../times.js';
import { NewWorkspace } from './new-workspace.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['Workspace']} Workspace
 */

/** Snapshots of the workspace: restore one, or create another workspace from one. */
export function Snapshots() {
  const { data, failure } = useFresh(() => ask(api.GET('/snapshots')), []);
  const [created, setCreated] = useState(/** @type {Workspace | undefined} */ (undefined));
  /** @param {import('../forms.js').Fields} fields */
  const take = async ({ name }) => {
    const { id } = await ask(api.POST('/snapshots', { body: filled({ name }) }));
    return `Snapshot ${id} taken.`;
  };
  return html`
    ${failure && html`<${Problem} failure=${failure} />`}
    <div class="columns">
      <${Panel} title="Snapshots">
        ${data?.items.length === 0 && html`<${Empty} title="No snapshots yet">Take one when the workspace is in a state that you want to return to.<//>`}
        <ul class="rows">
          ${data?.items.map((snapshot) => html`<li key=${snapshot.id}><${Line} snapshot=${snapshot} fork=${setCreated} /></li>`)}
        </ul>
      <//>
      <div class="column">
      <${Panel} title="Take snapshot">
        <p class="quiet">Saves all data of the workspace: ledgers, orders, outbox, due jobs, clock, settings, faults and random state.</p>
        <${Form} title="Take snapshot" label="Take snapshot" run=${take}>
          <${Field} name="name" label="Name" maxlength="100" hint="Optional. Defaults to the id." grow />
        <//>
      <//>
      ${created && html`<${NewWorkspace} workspace=${created} />`}
      </div>
    </div>
  `;
}

/** @param {{ snapshot: Schemas['Snapshot'], fork: (workspace: Workspace) => void }} given */
function Line({ snapshot: { id, name, at }, fork }) {
  const params = { path: { id } };
  const what = `snapshot ${id}`;
  const restore = async () => {
    await ask(api.POST('/snapshots/{id}/restore', { params }));
    return 'The workspace is back in the state of the snapshot.';
  };
  const begin = async () => {
    fork(await ask(api.POST('/snapshots/{id}/fork', { params })));
    return 'Workspace created from the snapshot.';
  };
  const remove = async () => {
    await ask(api.DELETE('/snapshots/{id}', { params }));
  };
  return html`
    <div class="row">
      <span class="what"><strong>${name}</strong><span class="quiet">${id}, <${When} at=${at} /></span></span>
      <span class="ways">
        <${Action} label="Fork" what=${what} run=${begin} />
        <${Twice} label="Restore" what=${what} sure="All later changes are lost." run=${restore} />
        <${Twice} label="Delete" what=${what} sure="A deleted snapshot cannot be recovered." run=${remove} />
      </span>
    </div>
  `;
}
