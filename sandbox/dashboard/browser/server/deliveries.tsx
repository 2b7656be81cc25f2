import { allOf, api, ask, type Schemas } from '../api.ts';
import { Action, runDueJobs } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem, Row } from '../parts.tsx';
import { withQuery } from '../route.ts';
import { When } from '../times.tsx';

type Delivery = Schemas['Delivery'];

const kinds = { creditPoints: 'Credit', reportStatus: 'Status update', sendWebhook: 'Webhook' };

/** What was not acknowledged yet: due again some time, or given up on. */
export function Deliveries() {
  const { data, failure } = useFresh(async () => {
    const [clock, items] = await Promise.all([
      ask(api.GET('/clock')),
      allOf((query) => api.GET('/deliveries', { params: { query } })),
    ]);
    return { clock, items };
  }, []);
  const items = data?.items ?? [];
  const parked = items.filter(({ status }) => status === 'parked').length;
  const replay = async () => {
    await ask(api.POST('/deliveries/replay'));
    return 'All parked deliveries are due now.';
  };
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
            The clock is frozen. Run due jobs to send what is due now, or{' '}
            <a href="/dashboard/simulation?view=clock">advance the clock</a>.
          </span>
          <Action label="Run due jobs" run={runDueJobs} />
        </p>
      )}
    </Panel>
  );
}

function Line({ delivery }: { delivery: Delivery }) {
  const { id, kind, status, tries, next_at, reason, redeem_code, transaction_id, webhook_id } = delivery;
  const replay = async () => {
    await ask(api.POST('/deliveries/{id}/replay', { params: { path: { id } } }));
    return 'Due now.';
  };
  const title = (
    <>
      {kinds[kind]} {transaction_id}
      {redeem_code && <a href={`/dashboard/redemptions/${encodeURIComponent(redeem_code)}`}>{redeem_code}</a>}
      {webhook_id && <a href={withQuery({ webhook: webhook_id })}>{webhook_id}</a>}
    </>
  );
  const detail = (
    <>
      {tries === 0 ? 'Not attempted yet' : tries === 1 ? '1 attempt' : `${tries} attempts`}
      {next_at && (
        <>
          , next at <When at={next_at} />
        </>
      )}
      {reason && `: ${reason}`}
    </>
  );
  return (
    <Row title={title} detail={detail}>
      <span class={status === 'parked' ? 'badge stuck' : 'badge'}>{status}</span>
      <Action label="Replay delivery" what={id} run={replay} />
    </Row>
  );
}
