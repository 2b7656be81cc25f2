import { api, ask, type Schemas } from '../api.ts';
import { Time } from '../figures.tsx';
import { useFeed, useFresh } from '../live.ts';
import { Empty, Panel, Problem, Row, Status } from '../parts.tsx';
import { withQuery } from '../route.ts';

const styles = { delivered: 'badge earned', retrying: 'badge', parked: 'badge stuck', dropped: 'badge stuck' };

/** The registered webhooks, and the delivery attempts of one of them. */
export function Webhooks({ chosen }: { chosen: string }) {
  const { entries } = useFeed();
  const detailsOf = (event: string) =>
    entries.flatMap((entry) => (entry.kind === 'state' && entry.event === event ? [entry.detail] : []));
  const registered = new Map(
    detailsOf('webhook.registered').map(({ webhook_id, url }) => [String(webhook_id), String(url)]),
  );
  const removed = detailsOf('webhook.removed').map(({ webhook_id }) => String(webhook_id));
  const open = chosen !== '' && !registered.has(chosen);
  return (
    <Panel title="Webhooks">
      {registered.size === 0 && !open && (
        <Empty title="No webhooks registered">
          Register one with <code>registerWebhook</code> to receive catalogue changes.
        </Empty>
      )}
      <ul class="rows">
        {[...registered].map(([id, url]) => (
          <Row
            key={id}
            href={withQuery({ webhook: id === chosen ? undefined : id })}
            isCurrent={id === chosen}
            title={url}
            detail={id}
          >
            {removed.includes(id) && <span class="badge stuck">removed</span>}
          </Row>
        ))}
      </ul>
      {chosen !== '' && <Tries id={chosen} key={chosen} />}
    </Panel>
  );
}

function Tries({ id }: { id: string }) {
  const params = { path: { webhook_id: id } };
  const { data, failure } = useFresh(() => ask(api.GET('/webhooks/{webhook_id}/deliveries', { params })), [id]);
  return (
    <>
      <h3>Attempts for {id}</h3>
      {failure && <Problem failure={failure} />}
      {data?.items.length === 0 && (
        <Empty title="No attempts yet">
          To send one, change an item with the{' '}
          <a href="/dashboard/simulation?view=triggers">catalogue change trigger</a>.
        </Empty>
      )}
      <ol class="rows">
        {data?.items.toReversed().map((one) => (
          <Line key={one.seq} one={one} />
        ))}
      </ol>
    </>
  );
}

function Line({ one }: { one: Schemas['WebhookTry'] }) {
  const { at, status, reason, state, event, message_id, trace } = one;
  const calls = <a href={`/dashboard/traffic?q=${encodeURIComponent(trace)}`}>{message_id}</a>;
  const before = (
    <span class="quiet">
      <Time at={at} />
    </span>
  );
  return (
    <Row before={before} title={`${event}, attempt ${one.try}`} detail={[calls, reason && `: ${reason}`]}>
      <span class={styles[state]}>{state}</span>
      <Status status={status} />
    </Row>
  );
}
