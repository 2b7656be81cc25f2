import { useState } from 'preact/hooks';
import { api, ask, askAndReport, type Schemas } from '../api.ts';
import { When } from '../figures.tsx';
import { Action, Field, type Fields, FormPanel, filled, Twice } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem, Row } from '../parts.tsx';
import { NewWorkspace } from './workspaces.tsx';

type Workspace = Schemas['Workspace'];

/** Snapshots of the workspace. A user can restore one, or create another workspace from it. */
export function Snapshots() {
  const { data, failure } = useFresh(() => ask(api.GET('/snapshots')), []);
  const [created, setCreated] = useState<Workspace>();
  const take = async ({ name }: Fields) => {
    const { id } = await ask(api.POST('/snapshots', { body: filled({ name }) }));
    return `Snapshot ${id} taken.`;
  };
  return (
    <>
      {failure && <Problem failure={failure} />}
      <div class="columns">
        <Panel title="Snapshots">
          {data?.items.length === 0 && (
            <Empty title="No snapshots yet">
              Take one when the workspace is in a state that you want to return to.
            </Empty>
          )}
          <ul class="rows">
            {data?.items.map((snapshot) => (
              <Line key={snapshot.id} snapshot={snapshot} fork={setCreated} />
            ))}
          </ul>
        </Panel>
        <div class="column">
          <FormPanel
            title="Take snapshot"
            about="Saves all data of the workspace: ledgers, orders, outbox, due jobs, clock, settings, faults and random state."
            label="Take snapshot"
            run={take}
          >
            <Field name="name" label="Name" maxlength="100" grow>
              Optional. Defaults to the id.
            </Field>
          </FormPanel>
          {created && <NewWorkspace workspace={created} />}
        </div>
      </div>
    </>
  );
}

function Line({ snapshot, fork }: { snapshot: Schemas['Snapshot']; fork: (workspace: Workspace) => void }) {
  const { id, name, at } = snapshot;
  const params = { path: { id } };
  const what = `snapshot ${id}`;
  const restore = () =>
    askAndReport(
      api.POST('/snapshots/{id}/restore', { params }),
      'The workspace is back in the state of the snapshot.',
    );
  const begin = async () => {
    fork(await ask(api.POST('/snapshots/{id}/fork', { params })));
    return 'Workspace created from the snapshot.';
  };
  const remove = () => ask(api.DELETE('/snapshots/{id}', { params }));
  return (
    <Row title={name} detail={[id, ', ', <When at={at} />]}>
      <span class="ways">
        <Action label="Fork" what={what} run={begin} />
        <Twice label="Restore" what={what} sure="All later changes are lost." run={restore} />
        <Twice label="Delete" what={what} sure="A deleted snapshot cannot be recovered." run={remove} />
      </span>
    </Row>
  );
}
