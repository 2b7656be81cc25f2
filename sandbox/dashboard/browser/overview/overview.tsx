import { allOf, api, ask, type Schemas } from '../api.ts';
import { complaint, failed, isCall } from '../calls.ts';
import { amount, ClientState, copiedFacts, credentialRows, Facts, figure, State, Time, When } from '../figures.tsx';
import { Findings } from '../findings.tsx';
import { alike } from '../kinds.ts';
import { useFeed, useFresh } from '../live.ts';
import { Copy, Empty, Panel, Problem, Row, Status } from '../parts.tsx';
import { redemptionAddress } from '../route.ts';
import { FirstSteps } from './first-steps.tsx';
import { Pulse } from './pulse.tsx';

/** The overview: next steps, recent calls and failures, health, addresses and credentials. */
export function Overview() {
  const { data, failure } = useFresh(async () => {
    const [workspace, summary, orders] = await Promise.all([
      ask(api.GET('/workspace')),
      ask(api.GET('/activity/summary')),
      ask(api.GET('/orders', { params: { query: { limit: 1 } } })),
    ]);
    return { workspace, summary, newest: orders.items.at(-1) };
  }, []);
  const { status } = useFeed();
  const waits = (data ?? failure) === undefined || status === 'connecting';
  return (
    <>
      <h1>Overview</h1>
      {waits && <Waiting />}
      {!waits && failure && <Problem failure={failure} />}
      {!waits && data && (
        <div class="columns">
          <div class="column">
            <FirstSteps workspace={data.workspace} isPlaced={data.newest !== undefined} client={data.summary.client} />
            <Pulse summary={data.summary} />
            <Findings summary={data.summary} />
          </div>
          <div class="column">
            <LastRedemption placed={data.newest} />
            <Health client={data.summary.client} />
            <Errors />
            <Addresses workspace={data.workspace} />
            <Credentials workspace={data.workspace} />
          </div>
        </div>
      )}
    </>
  );
}

/** A placeholder until all data is available, so that nothing moves while the user reads. */
function Waiting() {
  return (
    <div class="columns" aria-busy="true">
      <div class="column">
        <div class="panel waiting" />
        <div class="panel waiting" />
      </div>
      <div class="column">
        <div class="panel waiting" />
      </div>
    </div>
  );
}

function Addresses({ workspace: { urls, settings } }: { workspace: Schemas['Workspace'] }) {
  const isReference = settings.client_url === urls.client;
  const explained = isReference
    ? ': stands in for the API that you host'
    : ': not in use, an example of the API that you host';
  const rows = [
    ['Platform API', urls.rewards],
    ...(isReference ? [] : [['Your server', settings.client_url]]),
    ['Client API', urls.client],
    ['General API', urls.general],
    ['Control API', urls.sandbox],
    ['Message gateway', urls.gateway],
    ['Microsite', urls.microsite],
    ['Portal', urls.portal],
  ];
  const facts = rows.map(([name = '', url = '']) => {
    const shown = name === 'Microsite' ? <a href={url}>{url}</a> : <code>{url}</code>;
    const explains = url === urls.client && <span class="quiet explains">Reference client{explained}</span>;
    return [name, [shown, ' ', <Copy text={url} what={`address of the ${name}`} />, explains]] as const;
  });
  return (
    <Panel title="Addresses">
      <Facts of={facts} />
    </Panel>
  );
}

function Credentials({ workspace }: { workspace: Schemas['Workspace'] }) {
  const { id, credentials, admin_token, project_code } = workspace;
  const rows = [...credentialRows(credentials), ['Admin token', admin_token], ['Project code', project_code]];
  return (
    <details class="panel drawer">
      <summary>
        <h2>Credentials</h2>
        <span class="quiet">
          Workspace <code>{id}</code>
        </span>
      </summary>
      <Facts of={copiedFacts(rows)} />
    </details>
  );
}

/** Health figures that may need attention. */
function Health({ client }: { client: Schemas['ClientHealth'] | null }) {
  const { data, failure } = useFresh(async () => {
    const [health, clock, deliveries, differences] = await Promise.all([
      ask(api.GET('/health')),
      ask(api.GET('/clock')),
      allOf((query) => api.GET('/deliveries', { params: { query } })),
      // This page sends no calls to the user's own server.
      allOf((query) => api.GET('/reconciliation', { params: { query: { ...query, balances: 'known' } } })),
    ]);
    const parked = deliveries.filter(({ status }) => status === 'parked').length;
    return { health, clock, parked, differences: differences.length };
  }, []);
  // One element each: the cells of a list of facts space their children apart.
  const health = data && (
    <span>
      <span class="status good">{data.health.status}</span> version {data.health.version}
    </span>
  );
  const clock = data && (
    <span>
      <a href="/dashboard/simulation?view=clock">{data.clock.mode}</a>, <When at={data.clock.now} />
    </span>
  );
  return (
    <Panel title="Health">
      {failure && <Problem failure={failure} />}
      <Facts
        of={[
          ['Sandbox', health ?? 'Loading'],
          ['Client', <ClientState client={client} />],
          ['Clock', clock ?? '…'],
          ['Failed deliveries', <a href="/dashboard/server">{data?.parked ?? '…'}</a>],
          ['Ledger mismatches', <a href="/dashboard/ledger?view=reconciliation">{data?.differences ?? '…'}</a>],
        ]}
      />
    </Panel>
  );
}

/** Failed calls, grouped by operation, status and message, newest first. */
function Errors() {
  const { entries, partial } = useFeed();
  const groups = alike(
    entries.filter(isCall).filter(failed).reverse(),
    (call) => `${call.operation ?? `${call.method} ${call.url.split('?')[0]}`} ${call.status} ${complaint(call)}`,
  );
  return (
    <Panel title="Recent errors" aside={<a href={'/dashboard/traffic?result=errors&pages=1'}>All errors</a>}>
      {partial && groups.length > 0 && <p class="quiet">In the newest {figure(entries.length)} entries of the log.</p>}
      {groups.length === 0 && (
        <Empty title="No failed calls">
          To see one, send a <a href="/dashboard/simulation?view=magic">magic value</a> that makes a call fail.
        </Empty>
      )}
      <ul class="rows">
        {groups.slice(0, 10).map(({ first: call, count }) => (
          <Row
            href={`/dashboard/traffic?result=errors&pages=1&seq=${call.seq}`}
            before={<Status status={call.status} />}
            title={call.operation ?? call.url}
            detail={complaint(call)}
          >
            <span class="quiet">
              {count > 1 && `${figure(count)} times, `}
              <Time at={call.at} />
            </span>
          </Row>
        ))}
      </ul>
    </Panel>
  );
}

/** The newest redemption, with its steps. */
function LastRedemption({ placed }: { placed: Schemas['PlacedOrder'] | undefined }) {
  const line = placed?.order.lines.at(0);
  if (placed === undefined || line === undefined) return undefined;
  const end = ['Delivered', 'Rejected'].find((state) => state === line.status);
  const steps = [
    { name: 'Placed', is: 'done' },
    { name: 'With vendor', is: end === undefined ? 'now' : 'done' },
    { name: end ?? 'Delivered', is: end === undefined ? '' : end === 'Rejected' ? 'failed' : 'done' },
  ];
  return (
    <Panel title="Last redemption" aside={<a href="/dashboard/redemptions">All redemptions</a>}>
      <p class="head">
        <a href={redemptionAddress(line.redeemCode)}>{line.product_name}</a>
        <State state={line.status} />
      </p>
      <ol class="small-steps">
        {steps.map(({ name, is }) => (
          <li class={is}>{name}</li>
        ))}
      </ol>
      <p class="quiet">
        {amount(line.points.totalPointWithProcessingFee)}, {placed.uid}, <When at={placed.order.created_at} />
      </p>
    </Panel>
  );
}
