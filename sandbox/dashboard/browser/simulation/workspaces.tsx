import { useState } from 'preact/hooks';
import { api, ask, askAndReport, type Schemas, signInWith } from '../api.ts';
import { copiedFacts, credentialRows, Facts } from '../figures.tsx';
import { Choice, Field, type Fields, Form, FormPanel, filled, Twice } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Panel, Problem } from '../parts.tsx';
import { AllWorkspaces } from './all-workspaces.tsx';
import type { Given } from './simulation.tsx';

type Workspace = Schemas['Workspace'];

/** This dashboard's workspace, and all others. */
export function Workspaces({ query }: Given) {
  const { data: workspace, failure } = useFresh(() => ask(api.GET('/workspace')), []);
  const [created, setCreated] = useState<Workspace>();
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
  const reset = () => askAndReport(api.POST('/reset'), 'The workspace has its initial data again.');
  const remove = async () => {
    await ask(api.DELETE('/workspaces/{id}', { params: { path: { id } } }));
    signInWith('');
  };
  const sure = 'This also deletes its snapshots and credentials. This tab returns to the demo workspace.';
  return (
    <Panel title="This workspace">
      <Facts of={Object.entries({ Id: <code>{id}</code>, Project: <code>{project_code}</code> })} />
      <p class="quiet">
        A reset deletes customers, items, orders, ledger entries and messages, then loads the seed data. Credentials and{' '}
        <a href="/dashboard/simulation?view=snapshots">snapshots</a> remain.
      </p>
      <p class="ways">
        <Twice label="Reset workspace" sure="All changes since the start are lost." run={reset} />
        {id !== 'demo' && <Twice label="Delete workspace" sure={sure} run={remove} />}
      </p>
      {id === 'demo' && <p class="quiet">The demo workspace cannot be deleted.</p>}
      {id !== 'demo' && (
        <p class="ways">
          <button type="button" class="small" onClick={() => signInWith('')}>
            Open demo workspace
          </button>
        </p>
      )}
    </Panel>
  );
}

const modes = Object.entries({ running: 'Running', frozen: 'Frozen' });
const sources = Object.entries({ usual: 'Defaults', these: 'Same as this workspace' });

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
      <Field name="name" label="Name" maxlength="100">
        Shown in lists and search.
      </Field>
      <Field name="seed" label="Seed" maxlength="100">
        Optional. Determines catalogue, customers and codes. Defaults to the demo data with unpredictable codes.
      </Field>
      <Choice name="clock" label="Clock" options={modes} />
      <Choice name="settings" label="Settings" options={sources} />
    </FormPanel>
  );
}

/** Returns a workspace's settings for use in another workspace. Each workspace has its own reference client, so its address is omitted. */
function settingsOf({ settings, urls }: Workspace) {
  const { client_url, client_token, ...rest } = settings;
  return client_url === urls.client ? rest : settings;
}

/** A new workspace: its credentials, and a button that opens its dashboard. */
export function NewWorkspace({ workspace }: { workspace: Workspace }) {
  const { id, admin_token, urls, credentials } = workspace;
  const addresses = [
    ['Platform API', urls.rewards],
    ['General API', urls.general],
    ['Portal', urls.portal],
    ['Microsite', urls.microsite],
  ];
  const rows = [['Admin token', admin_token], ...credentialRows(credentials), ...addresses];
  return (
    <Panel title={`Workspace ${id}`}>
      <p class="quiet">
        Save the admin token: only this page and <code>GET /sandbox/v1/workspace</code> of the workspace show it. Call
        the platform at these addresses: they identify the workspace, even with tokens that your own server issued.
      </p>
      <Facts of={copiedFacts(rows, (name) => `${name} of ${id}`)} />
      <p class="ways">
        <button type="button" class="small main" onClick={() => signInWith(admin_token)}>
          Open dashboard<span class="unseen"> of {id} in this tab</span>
        </button>
      </p>
    </Panel>
  );
}

type Values = Schemas['Settings'];

/** The numeric settings, with their unit and range. */
const numbers = [
  ['points_per_100_inr', 'Earned per 100 INR', 'points', [0, 1000]],
  ['processing_fee_egv', 'Voucher fee', 'points', [0, 1_000_000]],
  ['processing_fee_physical', 'Product fee', 'points', [0, 1_000_000]],
  ['tds_percent', 'TDS', 'percent', [0, 100]],
  ['pending_timeout', 'Pending timeout', 'seconds', [1, 31_536_000]],
  ['rate_limit', 'Hourly quota', 'calls', [1, 1_000_000]],
] as const;

const timeouts = Object.entries({ wait: 'Client waits', reverse: 'Client reverses' });

/** The workspace's settings. The form sends only changed values. */
function Settings({ workspace: { settings } }: { workspace: Workspace }) {
  const run = async (fields: Fields) => {
    const change = changeOf(settings, fields);
    const names = Object.keys(change);
    if (names.length === 0) return 'No changes.';
    await ask(api.PATCH('/workspace', { body: { settings: change } }));
    return `Saved: ${names.join(', ')}. Applies from the next call on.`;
  };
  return (
    <Panel title="Settings" aside={<a href="/dashboard/server">Client address</a>}>
      <Form title="Settings" label="Save settings" run={run}>
        {numbers.map(([name, label, unit, range]) => (
          <Field name={name} label={label} unit={unit} range={range} value={settings[name]} required />
        ))}
        <Field
          name="point_value_inr"
          label="Value of one point"
          unit="INR"
          inputmode="decimal"
          value={settings.point_value_inr}
          required
        />
        <Choice name="on_timeout" label="On timeout" value={settings.on_timeout} options={timeouts} />
        <Field name="allowlist" label="Allowed callers" rows={3} value={settings.allowlist.join('\n')}>
          Address ranges such as 10.0.0.0/8, one per line. An empty list allows all addresses.
        </Field>
        <Field
          name="frame_ancestors"
          label="Sites that may frame the portal"
          rows={3}
          value={settings.frame_ancestors.join('\n')}
        >
          Origins such as https://client.example, one per line. An empty list allows only the sandbox's own pages.
        </Field>
      </Form>
    </Panel>
  );
}

/** Returns the fields whose values differ from the current settings. */
function changeOf(settings: Values, fields: Fields): Partial<Omit<Values, 'client_url' | 'client_token'>> {
  const lists = ['allowlist', 'frame_ancestors'];
  const numeric = numbers.map(([name]) => name as string);
  const wanted = Object.entries(fields).map(([name, text]) => {
    if (lists.includes(name)) return [name, text.split(/\s+/).filter(Boolean)];
    return [name, numeric.includes(name) ? Number(text) : text];
  });
  const present = settings as Readonly<Record<string, unknown>>;
  const isChanged = (name: string, value: unknown) => JSON.stringify(present[name]) !== JSON.stringify(value);
  return Object.fromEntries(wanted.filter(([name, value]) => isChanged(String(name), value)));
}
