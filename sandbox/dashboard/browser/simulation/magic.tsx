// @ts-check
import { api, ask } from '../api.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Copy, Empty, Panel, Problem } from '../parts.js';
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
    ${groupsOf(wanted).map((group) => html`<${Group} ...${group} key=${group.title + group.use} />`)}
  `;
}

/** @typedef {{ title: string, use: string, values: readonly MagicValue[] }} Values Magic values that are used in the same way. */

/** @type {Readonly<Record<string, string>>} */
const titles = { item: 'Items', customer: 'Customers', amount: 'Payment amounts' };

/**
 * @param {readonly MagicValue[]} values
 * @returns {readonly Values[]}
 */
function groupsOf(values) {
  /** @type {Map<string, { title: string, use: string, values: MagicValue[] }>} */
  const groups = new Map();
  for (const one of values) {
    const { kind, use } = one;
    const group = groups.get(kind + use) ?? { title: titles[kind] ?? kind, use, values: [] };
    group.values.push(one);
    groups.set(kind + use, group);
  }
  return [...groups.values()];
}

/** @param {Values} given */
function Group({ title, use, values }) {
  return html`
    <${Panel} title=${title}>
      <p class="quiet">${use}</p>
      <table class="stacks" role="table" aria-label=${title}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">Value</th>
            <th role="columnheader" scope="col">What happens</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${values.map((one) => html`<${Line} one=${one} key=${one.name} />`)}
        </tbody>
      </table>
    <//>
  `;
}

/** @param {{ one: MagicValue }} given */
function Line({ one: { kind, value, name, does } }) {
  return html`
    <tr role="row">
      <th role="rowheader" scope="row">
        <code>${value}</code> <${Copy} text=${value} what=${name} />
      </th>
      <td role="cell">
        ${does}${kind === 'amount' && html` <a href=${`/dashboard/simulation?view=triggers&amount=${encodeURIComponent(value)}`}>Report payment<span class="unseen"> of ${value}</span></a>`}
      </td>
    </tr>
  `;
}
