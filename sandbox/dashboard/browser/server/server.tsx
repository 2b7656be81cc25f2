import { useState } from 'preact/hooks';
import { allOf, api, ask, askAndReport, type Schemas } from '../api.ts';
import { ClientState, deliveryKinds, Facts, When } from '../figures.tsx';
import { Action, Field, type Fields, Form, filled, runDueJobs } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { CodeToCopy, Copy, Empty, Panel, Problem, Row, Tabs } from '../parts.tsx';
import { type Route, redemptionAddress, withQuery } from '../route.ts';
import { Certification } from './certification.tsx';
import { Checklist } from './checklist.tsx';
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
              <Connection key={workspace.settings.client_url} />
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

/** The address of the client that the platform calls, with a form to change it. */
function ClientAddress({ workspace: { settings, urls, credentials } }: { workspace: Workspace }) {
  const { client_url, client_token } = settings;
  const reference = client_url === urls.client;
  const { data: summary } = useFresh(() => ask(api.GET('/activity/summary')), [client_url]);
  const save = ({ client_url: address, client_token: token, client_basic: basic }: Fields) => {
    const body = { settings: filled({ client_url: address, client_token: token, client_basic: basic }) };
    return askAndReport(api.PATCH('/workspace', { body }), 'Saved. The platform calls this address from now on.');
  };
  const back = () => {
    const body = { settings: { client_url: null, client_token: null, client_basic: null } };
    return askAndReport(api.PATCH('/workspace', { body }), 'The platform calls the reference client again.');
  };
  const hidden = (text: string, what: string) => [
    <details>
      <summary>Show</summary>
      <code>{text}</code>
    </details>,
    ' ',
    <Copy text={text} what={what} />,
  ];
  const { username, password } = credentials.basic;
  return (
    <Panel title="Client">
      <Facts
        of={[
          // The row exists from the start, so that nothing moves when the state arrives.
          ['State', summary ? <ClientState client={summary.client} /> : 'loading'],
          ['Address', <CodeToCopy text={client_url} what="address of the client" />],
          ['Service token', hidden(client_token, 'service token')],
          ['Basic credentials', hidden(`${username}:${password}`, 'Basic credentials')],
        ]}
      />
      <Form title="Address of your server" label="Save address" run={save}>
        <Field
          name="client_url"
          label="Address of your server"
          type="url"
          maxlength="2048"
          required
          grow
          placeholder="http://localhost:8080"
        >
          https, or http on this machine or in a private range allowed with --allow-address. The paths of the client API
          are appended.
        </Field>
        <Field name="client_token" label="Service token" maxlength="4096" pattern="[!-~]+" grow>
          Sent as Authorization: Bearer when no customer is signed in. Leave empty to keep the current token.
        </Field>
        <Field
          name="client_basic"
          label="Basic credentials"
          maxlength="1000"
          pattern="[!-9;-~]+:[!-~]+"
          grow
          placeholder="user:password"
        >
          Sent by the microsite when a customer signs in. Leave empty to keep the current ones.
        </Field>
      </Form>
      {!reference && (
        <p class="ways">
          <Action label="Use reference client" run={back} />
        </p>
      )}
    </Panel>
  );
}

const states = { ok: ['good', 'ok'], doubtful: ['warn', 'doubtful'], wrong: ['bad', 'wrong'] } as const;

/** Tests whether the platform can call the client, with a few calls that change nothing. */
function Connection() {
  const [checks, setChecks] = useState<readonly Schemas['ConnectionCheck'][]>();
  const check = async ({ uid = '' }: Fields) => {
    const { items } = await ask(api.GET('/connection', { params: { query: { uid } } }));
    setChecks(items);
    return items.some(({ state }) => state === 'wrong') ? 'Something must be changed.' : 'The platform can call it.';
  };
  return (
    <Panel title="Connection">
      <Form title="Customer to ask about" label="Check connection" run={check}>
        <Field name="uid" label="Customer of the server" maxlength="64" required defaultValue="CUST0001" />
      </Form>
      <ul class="rows">
        {checks?.map(({ name, state, found, change }) => (
          <Row key={name} title={`${name}: ${found}`} detail={change}>
            <span class={`status ${states[state][0]}`}>{states[state][1]}</span>
          </Row>
        ))}
      </ul>
    </Panel>
  );
}

/** Deliveries without an acknowledgment: scheduled for another attempt, or parked. */
function Deliveries() {
  const { data, failure } = useFresh(async () => {
    const [clock, items] = await Promise.all([
      ask(api.GET('/clock')),
      allOf((query) => api.GET('/deliveries', { params: { query } })),
    ]);
    return { clock, items };
  }, []);
  const items = data?.items ?? [];
  const parked = items.filter(({ status }) => status === 'parked').length;
  const replay = () => askAndReport(api.POST('/deliveries/replay'), 'All parked deliveries are due now.');
  return (
    <Panel title="Pending deliveries" aside={parked > 0 && <Action label="Replay parked deliveries" run={replay} />}>
      {failure && <Problem failure={failure} />}
      {data && items.length === 0 && (
        <Empty title="No pending deliveries">
          Credits, status updates and webhooks wait here until the receiver acknowledges them.
        </Empty>
      )}
      <ul class="rows">
        {items.map((delivery) => (
          <Line key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {items.length > 0 && data?.clock.mode === 'frozen' && (
        <p class="ways">
          <span class="quiet">
            The clock is frozen. Run due jobs to send the deliveries that are due, or{' '}
            <a href="/dashboard/simulation?view=clock">advance the clock</a>.
          </span>
          <Action label="Run due jobs" run={runDueJobs} />
        </p>
      )}
    </Panel>
  );
}

function Line({ delivery }: { delivery: Schemas['Delivery'] }) {
  const { id, kind, status, tries, next_at, reason, redeem_code, transaction_id, webhook_id } = delivery;
  const replay = () => askAndReport(api.POST('/deliveries/{id}/replay', { params: { path: { id } } }), 'Due now.');
  const title = [
    `${deliveryKinds[kind]} ${transaction_id ?? ''}`,
    redeem_code && <a href={redemptionAddress(redeem_code)}>{redeem_code}</a>,
    webhook_id && <a href={withQuery({ webhook: webhook_id })}>{webhook_id}</a>,
  ];
  const detail = [
    tries === 0 ? 'Not attempted yet' : tries === 1 ? '1 attempt' : `${tries} attempts`,
    next_at && [', next at ', <When at={next_at} />],
    reason && `: ${reason}`,
  ];
  return (
    <Row title={title} detail={detail}>
      <span class={status === 'parked' ? 'badge stuck' : 'badge'}>{status}</span>
      <Action label="Replay delivery" what={id} run={replay} />
    </Row>
  );
}
