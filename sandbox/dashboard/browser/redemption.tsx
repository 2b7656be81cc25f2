import type { ComponentChildren } from 'preact';
import { allOf, api, ask, type Schemas } from './api.ts';
import { amount, customerFact, deliveryText, Facts, itemName, State, timeOfDay, When } from './figures.tsx';
import { Action, useResult } from './forms.tsx';
import { useFresh } from './live.ts';
import { Copy, Note, Panel, Problem } from './parts.tsx';
import { Timeline } from './timeline.tsx';

type Subject = Schemas['Redemption'];
type Data = Awaited<ReturnType<typeof read>>;

/** A redemption across all parties, with the available actions. */
export function Redemption({ code }: { code: string }) {
  const { data, failure } = useFresh(() => read(code), [code]);
  const isUnknown = failure?.status === 404;
  return (
    <>
      <h1>{code}</h1>
      {isUnknown ? <Unknown /> : failure && <Problem failure={failure} />}
      {data !== undefined && !isUnknown && (
        <>
          <div class="columns">
            <Head {...data} />
            <Next {...data} />
          </div>
          <Panel
            title="Timeline"
            aside={<a href={`/dashboard/traffic?q=${encodeURIComponent(code)}`}>View in Traffic</a>}
          >
            <Timeline redemption={data.redemption} />
          </Panel>
        </>
      )}
      <p>
        <a href="/dashboard/redemptions">All redemptions</a>
      </p>
    </>
  );
}

/** Reads the redemption, its order if there is one, the platform's pending deliveries for it, and the time. */
async function read(code: string) {
  const redemption = await ask(api.GET('/redemptions/{redeemCode}', { params: { path: { redeemCode: code } } }));
  const { uid } = redemption;
  const [orders, deliveries, clock] = await Promise.all([
    uid === null ? undefined : ask(api.GET('/orders', { params: { query: { uid, limit: 1000 } } })),
    allOf((query) => api.GET('/deliveries', { params: { query } })),
    ask(api.GET('/clock')),
  ]);
  const placed = orders?.items.find(({ order }) => order.lines.some(({ redeemCode }) => redeemCode === code));
  return { redemption, placed, deliveries: deliveries.filter((one) => one.redeem_code === code), clock };
}

function Unknown() {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>Neither the platform nor the client has this redemption.</strong>
      </p>
      <p>Check that the code is complete. A reset deletes redemptions, and each workspace has its own.</p>
    </div>
  );
}

function Head({ redemption, placed }: Pick<Data, 'redemption' | 'placed'>) {
  const { redeem_code, uid, platform, client, items } = redemption;
  const order = placed?.order;
  const line = order?.lines.find(({ redeemCode }) => redeemCode === redeem_code);
  const item = line ?? savedItem(items);
  const points = line?.points.totalPointWithProcessingFee ?? client?.points ?? 0;
  return (
    <Panel title="Status" aside={<Copy text={redeem_code} label="Copy code" what="" />}>
      <Facts
        of={[
          ['Platform', platform === null ? 'not found' : <State state={platform.state} />],
          ['Client', client === null ? 'not in the reference client’s ledger' : <State state={client.state} />],
          ['Item', item && itemName(item)],
          ['Points', points > 0 && amount(points)],
          customerFact(uid),
          ['Order', order && <a href={`/dashboard/ledger?view=orders&order=${order.order_id}`}>{order.order_id}</a>],
          ['Placed', order && <When at={order.created_at} />],
          ['Remark', line?.remark || undefined],
        ]}
      />
      {placed === undefined && platform !== null && (
        <p class="notice hint">This redemption has no order: the client refused it or did not respond.</p>
      )}
    </Panel>
  );
}

/** Returns the redeemed item from the platform's calls to the client, for a redemption without a placed order. */
function savedItem(items: Subject['items']) {
  for (const item of items) {
    if (item.kind !== 'call_in' && item.kind !== 'call_out') continue;
    const { productName, quantity } = (item.request ?? {}) as { productName?: string; quantity?: string };
    if (productName !== undefined) return { product_name: productName, quantity: Number(quantity) };
  }
  return undefined;
}

/** The steps, in seconds of sandbox time, by which the frozen clock can be advanced. */
const advances = [
  [0, 'Run due jobs'],
  [2, 'Advance 2 s'],
  [60, 'Advance 1 min'],
  [3600, 'Advance 1 h'],
] as const;

/** Likely next actions: the vendor's answer, the client's timeout, a failed report, or advancing the clock. */
function Next({ redemption: { redeem_code: redeemCode, platform, client }, deliveries, clock }: Omit<Data, 'placed'>) {
  const [result, tell] = useResult();
  const settle = async (call: Parameters<typeof ask>[0], text: string) => {
    await ask(call);
    await ask(api.POST('/settle'));
    return tell(text);
  };
  const answer = (outcome: 'deliver' | 'reject') => {
    const call = api.POST('/triggers/vendor_outcome', { body: { redeemCode, outcome } });
    return settle(call, `The platform called the vendor. Outcome: ${outcome}.`);
  };
  const cancel = () => {
    const call = api.POST('/triggers/cancellation', { body: { redeemCode } });
    return settle(call, 'Cancelled on the company’s behalf. The platform sent the client a status update.');
  };
  const timeout = async () => {
    const { state } = await ask(api.POST('/triggers/timeout', { body: { redeemCode, on_timeout: 'reverse' } }));
    return tell(`Timed out: the redemption is now ${state} at the client.`);
  };
  const pass = async (seconds: number) => {
    const { now, ran } = await ask(seconds ? api.POST('/clock/advance', { body: { seconds } }) : api.POST('/settle'));
    return tell(`Sandbox time is ${timeOfDay(now)}. ${ran} due ${ran === 1 ? 'job' : 'jobs'} ran.`);
  };
  const replay = (id: string) => settle(api.POST('/deliveries/{id}/replay', { params: { path: { id } } }), 'Retried.');
  const pending = platform?.state === 'Pending';
  const waiting = client?.state === 'Pending';
  const open = pending || waiting || platform?.state === 'Placing' || deliveries.length > 0;
  return (
    <Panel title="Actions">
      {!open && <p>{ended(platform, client)}</p>}
      {pending && (
        <Ways why="The platform is waiting for the vendor. You can decide the outcome.">
          <Action look="main" label="Deliver item" run={() => answer('deliver')} />
          <Action look="danger" label="Reject item" run={() => answer('reject')} />
          <Action look="danger" label="Cancel redemption" run={cancel} />
        </Ways>
      )}
      {deliveries.map((delivery) => (
        <Ways why={deliveryText(delivery, clock)}>
          <Action label="Retry delivery" what={delivery.id} run={() => replay(delivery.id)} />
        </Ways>
      ))}
      {waiting && (
        <Ways why="The client may refund the points if the redemption stays pending too long.">
          <Action label="Time out redemption" run={timeout} />
        </Ways>
      )}
      {open && clock.mode === 'frozen' && (
        <Ways why={['The sandbox clock is frozen at ', <When at={clock.now} />, '.']}>
          {advances.map(([seconds, label]) => (
            <Action label={label} run={() => pass(seconds)} />
          ))}
        </Ways>
      )}
      <Note look="quiet action-result">{result}</Note>
    </Panel>
  );
}

function ended(platform: Subject['platform'], client: Subject['client']) {
  if (platform === null || client === null || platform.state === client.state)
    return 'No actions: this redemption is complete.';
  return 'This redemption is complete, but platform and client disagree. See Reconciliation in Ledger and orders.';
}

/** Actions, after the reason for them. */
function Ways({ why, children }: { why: ComponentChildren; children: ComponentChildren }) {
  return [<p>{why}</p>, <div class="ways">{children}</div>];
}
