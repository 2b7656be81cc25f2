// @ts-check
import { api, ask } from '../api.js';
import { Choice, Field, Form, Twice } from '../forms.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Empty, Panel, Problem } from '../parts.js';
import { go, withQuery } from '../route.js';
import { When } from '../times.js';

/** @typedef {import('../api.js').Schemas['WorkspaceSummary']} Summary */

/** Workspaces that are drawn at once. */
const step = 20;
const day = 24 * 3600;

const lives = /** @type {const} */ ([
  ['', 'No change'],
  [String(7 * day), '7 days'],
  [String(30 * day), '30 days'],
  [String(90 * day), '90 days'],
  [String(365 * day), '1 year'],
  ['forever', 'Until deleted'],
]);

/**
 * All workspaces, for whoever operates the sandbox: found by id or name, renamed, extended, deleted (OP-227).
 * @param {import('./simulation.js').Given} given
 */
export function AllWorkspaces({ query }) {
  const search = query.get('search') ?? '';
  const rows = Math.min(Number(query.get('rows') ?? step), 1000);
  const wish = { limit: rows, ...(search !== '' && { search }) };
  const { data, failure } = useFresh(() => ask(api.GET('/workspaces', { params: { query: wish } })), [search, rows]);
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const change = ({ currentTarget }) => go(withQuery({ search: currentTarget.value, rows: '' }), { replace: true });
  const items = data?.items ?? [];
  return html`
    <${Panel} title="All workspaces">
      <form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
        <label class="field grow"><span>Find</span>
          <input type="search" name="search" maxlength="100" value=${search} onInput=${change} placeholder="Name or id" />
        </label>
      </form>
      ${failure && html`<${Problem} failure=${failure} />`}
      ${data && items.length === 0 && html`<${Empty} title="No matches">No workspace has this text in its name or id.<//>`}
      <ul class="rows">
        ${items.map((one) => html`<li key=${one.id}><${Line} workspace=${one} /></li>`)}
      </ul>
      ${data?.next && html`<p class="ways"><a class="button quiet" href=${withQuery({ rows: rows + step })}>Show more</a></p>`}
    <//>
  `;
}

/** @param {{ workspace: Summary }} given */
function Line({ workspace: { id, name, created_by, created_at, last_used_at, expires_at } }) {
  const path = { id };
  /** @param {import('../forms.js').Fields} fields */
  const save = async ({ name: named = '', life }) => {
    const expires_in = life === 'forever' ? null : Number(life);
    const body = { name: named === '' ? null : named, ...(life !== '' && { expires_in }) };
    await ask(api.PATCH('/workspaces/{id}', { params: { path }, body }));
    return 'Saved.';
  };
  const remove = async () => {
    await ask(api.DELETE('/workspaces/{id}', { params: { path } }));
  };
  return html`
    <div class="unfolding"><div class="row">
      <span class="what">
        <strong>${name ?? id}</strong>
        <span class="quiet">${name !== null && html`<code>${id}</code>, `}created ${moment(created_at)}${created_by !== null && created_by !== 'demo' && html` by <code>${created_by}</code>`}, used ${moment(last_used_at)}</span>
      </span>
      <span class="badge">${expires_at === null ? 'no expiry' : html`expires ${moment(expires_at)}`}</span>
      ${id !== 'demo' && html`<${Twice} label="Delete" what=${`workspace ${name ?? id}`} sure="This also deletes its snapshots and credentials." run=${remove} />`}
    </div>
    ${
      id !== 'demo' &&
      html`
        <details>
          <summary>Rename or extend<span class="unseen"> ${name ?? id}</span></summary>
          <${Form} title=${`workspace ${id}`} label="Save" what=${`workspace ${id}`} run=${save}>
            <${Field} name="name" label="Name" maxlength="100" value=${name ?? ''} grow />
            <${Choice} name="life" label="Expires after its last use by" options=${lives} />
          <//>
        </details>
      `
    }
    </div>
  `;
}

/** @param {string} instant */
function moment(instant) {
  return html`<${When} at=${instant} />`;
}
