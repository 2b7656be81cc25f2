import { api, ask, type Schemas } from '../api.ts';
import { Filters } from '../filters.tsx';
import { useFresh } from '../live.ts';
import { Copy, Empty, Panel, Problem } from '../parts.tsx';
import type { Given } from './simulation.tsx';

type MagicValue = Schemas['MagicValue'];

/** Every magic value, what it does and how to use it. */
export function MagicValues({ query }: Given) {
  const { data, failure } = useFresh(() => ask(api.GET('/magic-values')), []);
  const text = (query.get('q') ?? '').toLowerCase();
  const wanted = (data?.items ?? []).filter((one) => JSON.stringify(one).toLowerCase().includes(text));
  return (
    <>
      {failure && <Problem failure={failure} />}
      <p>Magic values work in every workspace without setup. Lists do not include them.</p>
      <Filters query={query} placeholder="Value, or what should happen" />
      {data && wanted.length === 0 && (
        <Empty title="No matches">
          <a href="/dashboard/simulation?view=magic">Show all magic values</a>
        </Empty>
      )}
      {groupsOf(wanted).map((group) => (
        <Group key={group.title + group.use} {...group} />
      ))}
    </>
  );
}

/** Magic values that are used in the same way. */
type Values = { title: string; use: string; values: readonly MagicValue[] };

const titles: Readonly<Record<string, string>> = { item: 'Items', customer: 'Customers', amount: 'Payment amounts' };

function groupsOf(values: readonly MagicValue[]): readonly Values[] {
  const groups = new Map<string, { title: string; use: string; values: MagicValue[] }>();
  for (const one of values) {
    const { kind, use } = one;
    const group = groups.get(kind + use) ?? { title: titles[kind] ?? kind, use, values: [] };
    group.values.push(one);
    groups.set(kind + use, group);
  }
  return [...groups.values()];
}

function Group({ title, use, values }: Values) {
  return (
    <Panel title={title}>
      <p class="quiet">{use}</p>
      <table class="stacks" role="table" aria-label={title}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              Value
            </th>
            <th role="columnheader" scope="col">
              What happens
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {values.map((one) => (
            <Line one={one} key={one.name} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Line({ one: { kind, value, name, does } }: { one: MagicValue }) {
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <code>{value}</code> <Copy text={value} what={name} />
      </th>
      <td role="cell">
        {does}
        {kind === 'amount' && (
          <>
            {' '}
            <a href={`/dashboard/simulation?view=triggers&amount=${encodeURIComponent(value)}`}>
              Report payment<span class="unseen"> of {value}</span>
            </a>
          </>
        )}
      </td>
    </tr>
  );
}
