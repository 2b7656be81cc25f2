// @ts-check
import { html } from '../html.js';
import { Tabs } from '../parts.js';
import { Clock } from './clock.js';
import { Faults } from './faults.js';
import { MagicValues } from './magic.js';
import { Outcomes } from './outcomes.js';
import { Snapshots } from './snapshots.js';
import { Triggers } from './triggers.js';
import { Workspaces } from './workspaces.js';

/** @typedef {{ query: URLSearchParams }} Given What each view goes by. */

const views = /** @type {const} */ ([
  ['outcomes', 'Vendor outcomes', Outcomes],
  ['faults', 'Faults', Faults],
  ['triggers', 'Triggers', Triggers],
  ['clock', 'Clock', Clock],
  ['magic', 'Magic values', MagicValues],
  ['snapshots', 'Snapshots', Snapshots],
  ['workspaces', 'Workspaces', Workspaces],
]);

/**
 * What brings situations about: vendors, faults, events, time, values, and whole workspaces.
 * @param {{ route: import('../route.js').Route }} given
 */
export function Simulation({ route: { query } }) {
  const [name, title, View] = views.find(([each]) => each === query.get('view')) ?? views[0];
  return html`
    <h1>Simulation</h1>
    <${Tabs}
      label="Views"
      current=${title}
      views=${views.map(([each, called]) => [`/dashboard/simulation?view=${each}`, called])}
    />
    <${View} query=${query} key=${name} />
  `;
}
