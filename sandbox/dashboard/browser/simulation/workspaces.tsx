import { useState } from 'preact/hooks';
import { api, ask, type Schemas, signInWith } from '../api.ts';
import { named } from '../credentials.ts';
import { Fact } from '../figures.tsx';
import { Choice, Field, type Fields, FormPanel, filled, Twice } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Copy, Panel, Problem } from '../parts.tsx';
import { AllWorkspaces } from './all-workspaces.tsx';
import { Settings } from './settings.tsx';
import type { Given } from './simulation.tsx';

type Workspace = Schemas['Workspace'];

/** The workspace of this dashboard, and the other ones. */
export function Workspaces({ query }: Given) {
  const { data: workspace, failure } = useFresh(() => ask(api.GET('/workspace')), []);
  const [created, setCreated] = useState<Workspace | undefined>(undefined);
  return (
    <>
      {failure && <Problem failure={failure} />}
      <div class="columns">
        <div class="column">
          {workspace && <Present workspace={workspace} />}
          {workspace && <Maker workspace={workspace} done={setCreated} />}
          {created && <NewWorkspace workspace={created} />}
        </div>
        {workspace && <Settings workspace={workspace} />}
      </div>
      {workspace?.id === 'demo' && <AllWorkspaces query={query} />}
    </>
  );
}

function Present({ workspace: { id, project_code } }: { workspace: Workspace }) {
  const reset = async () => {
    await ask(api.POST('/reset'));
    return 'The workspace has its initial data again.';
  };
  const remove = async () => {
    await ask(api.DELETE('/workspaces/{id}', { params: { path: { id } } }));
    signInWith('');
  };
  return (
    <Panel title="This workspace">
      <dl class="facts">
        <Fact title="Id">
          <code>{id}</code>
        </Fact>
        <Fact title="Project">
          <code>{project_code}</code>
        </Fact>
      </dl>
      <p class="quiet">
        A reset deletes customers, items, orders, ledger entries and messages, then loads the seed data. Credentials and{' '}
        <a href="/dashboard/simulation?view=snapshots">snapshots</a> stay.
      </p>
      <p class="ways">
        <Twice label="Reset workspace" sure="All changes since the start are lost." run={reset} />
        {id !== 'demo' && (
          <Twice
            label="Delete workspace"
            sure="This also deletes its snapshots and credentials. This tab returns to the demo workspace."
            run={remove}
          />
        )}
      </p>
      {id !== 'demo' && (
        <p class="ways">
          <button type="button" class="small" onClick={() => signInWith('')}>
            Open demo workspace
          </button>
        </p>
      )}
      {id === 'demo' && <p class="quiet">The demo workspace cannot be deleted.</p>}
    </Panel>
  );
}

function Maker({ workspace, done }: { workspace: Workspace; done: (workspace: Workspace) => void }) {
  const run = async ({ name, seed, clock, settings }: Fields) => {
    const wish = settings === 'these' ? { settings: settingsOf(workspace) } : {};
    const body = { ...filled({ name, seed }), clock: clock as 'running' | 'frozen', ...wish };
    const created = await ask(api.POST('/workspaces', { body }));
    done(created);
    return `${created.id} is ready.`;
  };
  return (
    <FormPanel
      title="Create workspace"
      about="A separate sandbox with its own credentials, catalogue, customers, clock and client."
      label="Create workspace"
      run={run}
    >
      <Field name="name" label="Name" maxlength="100" hint="Shown in lists and search." />
      <Field
        name="seed"
        label="Seed"
        maxlength="100"
        hint="Optional. Determines catalogue, customers and codes. Defaults to the demo data with unpredictable codes."
      />
      <Choice name="clock" label="Clock" options={Object.entries({ running: 'Running', frozen: 'Frozen' })} />
      <Choice
        name="settings"
        label="Settings"
        options={Object.entries({ usual: 'Defaults', these: 'Same as this workspace' })}
      />
    </FormPanel>
  );
}

/**
 * The settings of a workspace, for another one. The reference client is one for each of them, so its address stays
 * here.
 */
function settingsOf({ settings, urls }: Workspace) {
  const { client_url, client_token, ...rest } = settings;
  return client_url === urls.client ? rest : settings;
}

/** A new workspace: its credentials, and a button that opens its dashboard. */
export function NewWorkspace({
  workspace: { id, admin_token, urls, credentials },
}: {
  workspace: Schemas['Workspace'];
}) {
  const addresses = [
    ['Platform API', urls.rewards],
    ['General API', urls.general],
    ['Portal', urls.portal],
    ['Microsite', urls.microsite],
  ];
  const rows = [['Admin token', admin_token], ...named(credentials), ...addresses];
  return (
    <Panel title={`Workspace ${id}`}>
      <p class="quiet">
        Save the admin token: only this page and <code>GET /sandbox/v1/workspace</code> of the workspace show it. Call
        the platform at these addresses: they identify the workspace, even with tokens that your own server issued.
      </p>
      <dl class="facts">
        {rows.map(([name = '', value = '']) => (
          <Fact title={name}>
            <code>{value}</code> <Copy text={value} what={`${name} of ${id}`} />
          </Fact>
        ))}
      </dl>
      <p class="ways">
        <button type="button" class="small main" onClick={() => signInWith(admin_token)}>
          Open dashboard<span class="unseen"> of {id} in this tab</span>
        </button>
      </p>
    </Panel>
  );
}
