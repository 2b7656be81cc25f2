// @ts-check
import { api, ask } from '../api.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Copy, Empty, Problem } from '../parts.js';
import { go, withQuery } from '../route.js';

/** @typedef {import('../api.js').Schemas['MagicValue']} MagicValue */

/** Every magic value, what it does and how to use it. @param {import('./simulation.js').Given} given */
export function MagicValues({ query }) {
  const { data, failure } = useFresh(() => ask(api.GET('/magic-values')), []);
  const text = (query.get('q') ?? '').toLowerCase();
  const wanted = (data?.items ?? []).filter((one) => JSON.stringify(one).toLowerCase().includes(text));
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const find = ({ currentTarget: { value } }) => go(withQuery({ q: value }), { replace: true });
  return html`
    ${failure && html`<${Problem} failure=${failure} />`}
    <p>Magic values work in every workspace without setup. Lists do not include them.</p>
    <form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field grow"><span>Find</span>
        <input type="search" name="q" value=${query.get('q') ?? ''} onInput=${find} placeholder="Value, or what should happen" />
      </label>
    </form>
    ${data && wanted.length === 0 && html`<${Empty} title="No matches"><a href="/dashboard/simulation?view=magic">Show all magic values</a><//>`}
    ${
      wanted.length > 0 &&
      html`
      <section class="panel" aria-label="Magic values">
        <table class="stacks" role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">Value</th>
              <th role="columnheader" scope="col">What happens</th>
              <th role="columnheader" scope="col">How to use it</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${wanted.map((one) => html`<${Line} one=${one} key=${one.name} />`)}
          </tbody>
        </table>
      </section>
    `
    }
  `;
}

/** @param {{ one: MagicValue }} given */
function Line({ one: { kind, value, name, does, use } }) {
  return html`
    <tr role="row">
      <th role="rowheader" scope="row">
        <code>${value}</code> <${Copy} text=${value} what=${name} />
        <span class="quiet">${kind}</span>
      </th>
      <td role="cell">${does}</td>
      <td role="cell">
        ${use}${kind === 'amount' && html` <a href=${`/dashboard/simulation?view=triggers&amount=${encodeURIComponent(value)}`}>Report payment<span class="unseen"> of ${value}</span></a>`}
      </td>
    </tr>
  `;
}
