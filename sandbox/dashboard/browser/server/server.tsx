import { api, ask, type Schemas } from '../api.ts';
import { Fact } from '../figures.tsx';
import { Action, Field, type Fields, Form, filled } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Copy, Panel, Problem, Tabs } from '../parts.tsx';
import type { Route } from '../route.ts';
import { Certification } from './certification.tsx';
import { Checklist } from './checklist.tsx';
import { Deliveries } from './deliveries.tsx';
import { Webhooks } from './webhooks.tsx';

type Workspace = Schemas['Workspace'];

const views = [
  ['/dashboard/server', 'Calls'],
  ['/dashboard/server?view=certification', 'Certification'],
] as const;

/** The client that the platform calls: its address, the calls to it, pending deliveries, and its certification. */
export function YourServer({ route: { query } }: { route: Route }) {
  const { data: workspace, failure } = useFresh(() => ask(api.GET('/workspace')), []);
  const certifies = query.get('view') === 'certification';
  return (
    <>
      <h1>Your server</h1>
      <Tabs label="Views of your server" current={certifies ? 'Certification' : 'Calls'} views={views} />
      {failure && <Problem failure={failure} />}
      {workspace && certifies && <Certification query={query} workspace={workspace} />}
      {workspace && !certifies && (
        <>
          <div class="columns">
            <div class="column">
              <ClientAddress workspace={workspace} />
            </div>
            <div class="column">
              <Deliveries />
              <Webhooks chosen={query.get('webhook') ?? ''} />
            </div>
          </div>
          <Checklist workspace={workspace} uid={query.get('uid') ?? 'CUST0001'} />
        </>
      )}
    </>
  );
}

/** The address of the client that the platform calls, and a form to change it. */
function ClientAddress({ workspace: { settings, urls } }: { workspace: Workspace }) {
  const { client_url, client_token } = settings;
  const reference = client_url === urls.client;
  const save = async ({ client_url, client_token }: Fields) => {
    await ask(api.PATCH('/workspace', { body: { settings: filled({ client_url, client_token }) } }));
    return 'Saved. The platform calls this address from now on.';
  };
  const back = async () => {
    await ask(api.PATCH('/workspace', { body: { settings: { client_url: null, client_token: null } } }));
    return 'The platform calls the reference client again.';
  };
  return (
    <Panel title="Client" aside={<span class="badge earned">{reference ? 'reference client' : 'your server'}</span>}>
      <dl class="facts">
        <Fact title="Address">
          <code>{client_url}</code> <Copy text={client_url} what="address of the client" />
        </Fact>
        <Fact title="Service token">
          <details>
            <summary>Show</summary>
            <code>{client_token}</code>
          </details>{' '}
          <Copy text={client_token} what="service token" />
        </Fact>
      </dl>
      <Form title="Address of your server" label="Save address" run={save}>
        <Field
          name="client_url"
          label="Address of your server"
          type="url"
          maxlength="2048"
          required
          grow
          placeholder="http://localhost:8080"
          hint="https, or http on this machine or in a private range allowed with --allow-address. The paths of the client API are appended."
        />
        <Field
          name="client_token"
          label="Service token"
          maxlength="4096"
          pattern="[!-~]+"
          grow
          hint="Sent as Authorization: Bearer when no customer is signed in. Leave empty to keep the current token."
        />
      </Form>
      {!reference && (
        <p class="ways">
          <Action label="Use reference client" run={back} />
        </p>
      )}
    </Panel>
  );
}
