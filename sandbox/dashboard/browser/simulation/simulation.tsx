import { Tabs } from '../parts.tsx';
import type { Route } from '../route.ts';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';
import { MagicValues } from './magic.tsx';
import { Outcomes } from './outcomes.tsx';
import { Snapshots } from './snapshots.tsx';
import { Triggers } from './triggers.tsx';
import { Workspaces } from './workspaces.tsx';

/** What each view goes by. */
export type Given = { query: URLSearchParams };

const views = [
  ['outcomes', 'Vendor outcomes', Outcomes],
  ['faults', 'Faults', Faults],
  ['triggers', 'Triggers', Triggers],
  ['clock', 'Clock', Clock],
  ['magic', 'Magic values', MagicValues],
  ['snapshots', 'Snapshots', Snapshots],
  ['workspaces', 'Workspaces', Workspaces],
] as const;

/** Controls that create situations: vendors, faults, events, time, values, and whole workspaces. */
export function Simulation({ route: { query } }: { route: Route }) {
  const [name, title, View] = views.find(([each]) => each === query.get('view')) ?? views[0];
  return (
    <>
      <h1>Simulation</h1>
      <Tabs
        label="Views"
        current={title}
        views={views.map(([each, called]) => [`/dashboard/simulation?view=${each}`, called])}
      />
      <View query={query} key={name} />
    </>
  );
}
