import { api, ask, askAndReport, type Schemas } from '../api.ts';
import { When } from '../figures.tsx';
import { Filters, ShowMore } from '../filters.tsx';
import { Choice, Field, type Fields, Form, Twice } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem, What } from '../parts.tsx';
import type { Given } from './simulation.tsx';

/** Number of workspaces shown initially, and added by each request for more. */
const step = 20;
const day = 24 * 3600;

const lives = [
  ['', 'No change'],
  [String(7 * day), '7 days'],
  [String(30 * day), '30 days'],
  [String(90 * day), '90 days'],
  [String(365 * day), '1 year'],
  ['forever', 'Until deleted'],
] as const;

/** All workspaces, for the operator, who can search, rename, extend and delete them (OP-227). */
export function AllWorkspaces({ query }: Given) {
  const search = query.get('search') ?? '';
  const rows = Math.min(Number(query.get('rows') ?? step), 1000);
  const wish = { limit: rows, ...(search !== '' && { search }) };
  const { data, failure } = useFresh(() => ask(api.GET('/workspaces', { params: { query: wish } })), [search, rows]);
  const items = data?.items ?? [];
  return (
    <Panel title="All workspaces">
      <Filters query={query} name="search" maxlength={100} placeholder="Name or id" />
      {failure && <Problem failure={failure} />}
      {data && items.length === 0 && <Empty title="No matches">No workspace has this text in its name or id.</Empty>}
      <ul class="rows">
        {items.map((one) => (
          <li key={one.id}>
            <Line workspace={one} />
          </li>
        ))}
      </ul>
      {data?.next && <ShowMore rows={rows + step} />}
    </Panel>
  );
}

function Line({ workspace }: { workspace: Schemas['WorkspaceSummary'] }) {
  const { id, name, created_by, created_at, last_used_at, expires_at } = workspace;
  const path = { id };
  const save = async ({ name: named = '', life }: Fields) => {
    const expires_in = life === 'forever' ? null : Number(life);
    const body = { name: named === '' ? null : named, ...(life !== '' && { expires_in }) };
    return askAndReport(api.PATCH('/workspaces/{id}', { params: { path }, body }), 'Saved.');
  };
  const remove = () => ask(api.DELETE('/workspaces/{id}', { params: { path } }));
  const detail = (
    <>
      {name !== null && [<code>{id}</code>, ', ']}created <When at={created_at} />
      {created_by !== null && created_by !== 'demo' && [' by ', <code>{created_by}</code>]}, used{' '}
      <When at={last_used_at} />
    </>
  );
  return (
    <div class="unfolding">
      <div class="row">
        <What title={name ?? id} detail={detail} />
        <span class="badge">{expires_at === null ? 'no expiry' : ['expires ', <When at={expires_at} />]}</span>
        {id !== 'demo' && (
          <Twice
            label="Delete"
            what={`workspace ${name ?? id}`}
            sure="This also deletes its snapshots and credentials."
            run={remove}
          />
        )}
      </div>
      {id !== 'demo' && (
        <details>
          <summary>
            Rename or extend<span class="unseen"> {name ?? id}</span>
          </summary>
          <Form title={`workspace ${id}`} label="Save" what={`workspace ${id}`} run={save}>
            <Field name="name" label="Name" maxlength={100} value={name ?? ''} grow />
            <Choice name="life" label="Expiry after last use" options={lives} />
          </Form>
        </details>
      )}
    </div>
  );
}
