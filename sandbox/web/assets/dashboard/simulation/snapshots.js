// @ts-check
import { useState } from 'preact/hooks';
import { api, ask } from '../api.js';
import { Field, Form, filled, Twice } from '../forms.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Action, Empty, Panel, Problem } from '../parts.js';
import { Made } from './made.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['Workspace']} Workspace
 */

/** States of the workspace that were kept: to go back to, or to begin another workspace with. */
export function Snapshots() {
  const { data, failure } = useFresh(() => ask(api.GET('/snapshots')), []);
  const [made, setMade] = useState(/** @type {Workspace | undefined} */ (undefined));
  /** @param {import('../forms.js').Fields} fields */
  const take = async ({ name }) => {
    const { id } = await ask(api.POST('/snapshots', { body: filled({ name }) }));
    return `Taken as ${id}.`;
  };
  return html`
    ${failure && html`<${Problem} failure=${failure} />`}
    <div class="columns">
      <${Panel} title="Snapshots">
        ${data?.items.length === 0 && html`<${Empty} title="No snapshot was taken">Bring about the state that you want to come back to, and take one.<//>`}
        <ul class="rows">
          ${data?.items.map((snapshot) => html`<li key=${snapshot.id}><${Line} snapshot=${snapshot} fork=${setMade} /></li>`)}
        </ul>
      <//>
      <div class="column">
      <${Panel} title="Take one">
        <p class="quiet">Keeps all parties' books, outbox, due work, clock, settings, faults and randomness as they are now.</p>
        <${Form} title="a snapshot" label="Take" run=${take}>
          <${Field} name="name" label="Name" maxlength="100" hint="Left empty, it is called by its id." grow />
        <//>
      <//>
      ${made && html`<${Made} workspace=${made} />`}
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
    return 'Everything is as it was then.';
  };
  const begin = async () => {
    fork(await ask(api.POST('/snapshots/{id}/fork', { params })));
    return 'A workspace was made of it.';
  };
  const remove = async () => {
    await ask(api.DELETE('/snapshots/{id}', { params }));
  };
  return html`
    <div class="row">
      <span class="what"><strong>${name}</strong><span class="quiet">${id}, <time datetime=${at}>${at.slice(0, 19).replace('T', ' ')}</time></span></span>
      <span class="ways">
        <${Action} label="Fork" what=${what} run=${begin} />
        <${Twice} label="Restore" what=${what} sure="What was done since is lost." run=${restore} />
        <${Twice} label="Delete" what=${what} sure="It cannot be taken again." run=${remove} />
      </span>
    </div>
  `;
}
