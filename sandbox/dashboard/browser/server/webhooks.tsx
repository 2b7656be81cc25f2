import { api, ask, type Schemas } from '../api.ts';
import { useFeed, useFresh } from '../live.ts';
import { Empty, Panel, Problem, Status } from '../parts.tsx';
import { withQuery } from '../route.ts';
import { Time } from '../times.tsx';

type WebhookTry = Schemas['WebhookTry'];

const styles = { delivered: 'badge earned', retrying: 'badge', parked: 'badge stuck', dropped: 'badge stuck' };

/** The webhooks that were registered, and the tries of one of them. */
export function Webhooks({ chosen }: { chosen: string }) {
  const { entries } = useFeed();
  const registered = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'state' && entry.event === 'webhook.registered'
        ? [[String(entry.detail.webhook_id), String(entry.detail.url)]]
        : [],
    ),
  );
  const removed = entries.flatMap((entry) =>
    entry.kind === 'state' && entry.event === 'webhook.removed' ? [String(entry.detail.webhook_id)] : [],
  );
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
          <li key={id}>
            <a
              class="row"
              href={withQuery({ webhook: id === chosen ? undefined : id })}
              aria-current={id === chosen ? 'true' : undefined}
            >
              <span class="what">
                <strong>{url}</strong>
                <span class="quiet">{id}</span>
              </span>
              {removed.includes(id) && <span class="badge stuck">removed</span>}
            </a>
          </li>
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
          <li key={one.seq}>
            <Line one={one} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Line({ one }: { one: WebhookTry }) {
  const { at, status, reason, state, event, message_id, trace } = one;
  return (
    <div class="row">
      <span class="quiet">
        <Time at={at} />
      </span>
      <span class="what">
        <strong>
          {event}, attempt {one.try}
        </strong>
        <span class="quiet">
          <a href={`/dashboard/traffic?q=${encodeURIComponent(trace)}`}>{message_id}</a>
          {reason && `: ${reason}`}
        </span>
      </span>
      <span class={styles[state]}>{state}</span>
      <Status status={status} />
    </div>
  );
}
