import { api, ask, type Schemas } from '../api.ts';
import { Filters } from '../filters.tsx';
import { useFresh } from '../live.ts';
import { CodeToCopy, NoMatches, Panel, Problem, TableHead, Tabs } from '../parts.tsx';
import type { Route } from '../route.ts';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';
import { Outcomes } from './outcomes.tsx';
import { Snapshots } from './snapshots.tsx';
import { Triggers } from './triggers.tsx';
import { Workspaces } from './workspaces.tsx';

/** The properties of each view. */
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

/** Controls that create situations: vendors, faults, events, time, magic values and whole workspaces. */
export function Simulation({ route: { query } }: { route: Route }) {
  const [name, title, View] = views.find(([each]) => each === query.get('view')) ?? views[0];
  const links = views.map(([each, called]) => [`/dashboard/simulation?view=${each}`, called] as const);
  return (
    <>
      <h1>Simulation</h1>
      <Tabs label="Views" current={title} views={links} />
      <View query={query} key={name} />
    </>
  );
}

/** All magic values, with their effect and usage. */
function MagicValues({ query }: Given) {
  const { data, failure } = useFresh(() => ask(api.GET('/magic-values')), []);
  const text = (query.get('q') ?? '').toLowerCase();
  const wanted = (data?.items ?? []).filter((one) => JSON.stringify(one).toLowerCase().includes(text));
  return (
    <>
      {failure && <Problem failure={failure} />}
      <p>Magic values work in every workspace without setup. Lists do not include them.</p>
      <Filters query={query} placeholder="Value or effect" />
      {data && wanted.length === 0 && (
        <NoMatches href="/dashboard/simulation?view=magic" link="Show all magic values" />
      )}
      {[...Map.groupBy(wanted, ({ kind, use }) => kind + use)].map(([key, values]) => (
        <Group key={key} values={values} />
      ))}
    </>
  );
}

const titles: Readonly<Record<string, string>> = { item: 'Items', customer: 'Customers', amount: 'Payment amounts' };

/** Magic values with the same usage. */
function Group({ values }: { values: readonly Schemas['MagicValue'][] }) {
  const [{ kind, use } = { kind: '', use: '' }] = values;
  const title = titles[kind] ?? kind;
  return (
    <Panel title={title}>
      <p class="quiet">{use}</p>
      <table class="stacks" role="table" aria-label={title}>
        <TableHead heads={['Value', 'What happens']} />
        <tbody role="rowgroup">
          {values.map(({ value, name, does }) => (
            <tr role="row" key={name}>
              <th role="rowheader" scope="row">
                <CodeToCopy text={value} what={name} />
              </th>
              <td role="cell">
                {does}
                {kind === 'amount' && [
                  ' ',
                  <a href={`/dashboard/simulation?view=triggers&amount=${encodeURIComponent(value)}`}>
                    Report payment<span class="unseen"> of {value}</span>
                  </a>,
                ]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
