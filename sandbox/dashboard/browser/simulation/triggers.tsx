import { allOf, api, ask, type Schemas, traced } from '../api.ts';
import { Action, Choice, caused, Field, type Fields, Form, filled, number, Picker, runDueJobs } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem } from '../parts.tsx';
import { go, withQuery } from '../route.ts';
import { outcomeNames } from './outcomes.tsx';
import type { Given } from './simulation.tsx';

type Options = readonly (readonly [value: string, title: string])[];
/** The redemption that was chosen. */
type About = { code: string };

const statuses = [
  ['Delivered', 'Delivered'],
  ['Rejected', 'Rejected'],
  ['Pending', 'Pending'],
] as const;

/** The events of the flows, each with a form that sets it off. */
export function Triggers({ query }: Given) {
  const { data, failure } = useFresh(async () => {
    const [workspace, clock, customers, catalogue, orders] = await Promise.all([
      ask(api.GET('/workspace')),
      ask(api.GET('/clock')),
      allOf((query) => api.GET('/customers', { params: { query } })),
      allOf((query) => api.GET('/catalogue', { params: { query } })),
      ask(api.GET('/orders')),
    ]);
    const { microsite } = workspace.urls;
    return { microsite, clock, customers, items: catalogue, lines: linesOf(orders.items) };
  }, []);
  const code = query.get('code') ?? '';
  const customers = (data?.customers ?? []).map(({ uid, profile }) => [uid, `${profile.name}, ${uid}`] as const);
  const items = (data?.items ?? []).map(({ sku_code, skus }) => [sku_code, `${skus}, ${sku_code}`] as const);
  const lines = (data?.lines ?? []).map(
    ({ redeemCode, product_name, status }) => [redeemCode, `${product_name}, ${status}, ${redeemCode}`] as const,
  );
  return (
    <>
      {failure && <Problem failure={failure} />}
      {data?.clock.mode === 'frozen' && (
        <p class="ways">
          The clock is frozen: jobs that a trigger makes due wait until you run them.
          <Action label="Run due jobs" run={runDueJobs} />
        </p>
      )}
      <div class="columns">
        <Payment amount={query.get('amount') ?? '1000.00'} uid={query.get('uid') ?? 'CUST0001'} customers={customers} />
        <CatalogueChange items={items} />
      </div>
      <Redemption code={code} lines={data?.lines} options={lines} microsite={data?.microsite} />
      {code === '' ? (
        <Empty title="No redemption chosen">
          Choose one to set its vendor’s response, send a status update, cancel it or time it out.
        </Empty>
      ) : (
        <div class="columns">
          <VendorOutcome code={code} />
          <StatusUpdate code={code} />
          <Cancellation code={code} />
          <Timeout code={code} />
        </div>
      )}
    </>
  );
}

/** The lines of all orders, which come newest first. */
function linesOf(orders: readonly Schemas['PlacedOrder'][]) {
  return orders.flatMap(({ order }) => order.lines).reverse();
}

/** Which redemption the triggers are about. */
function Redemption({
  code,
  lines,
  options,
  microsite,
}: {
  code: string;
  lines: ReturnType<typeof linesOf> | undefined;
  options: Options;
  microsite: string | undefined;
}) {
  const line = lines?.find(({ redeemCode }) => redeemCode === code);
  const [first] = lines ?? [];
  const change = (value: string) => go(withQuery({ code: value }), { replace: true });
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <div class="field grow">
        <Picker
          name="code"
          label="Redemption"
          value={code}
          change={change}
          options={[['', 'Choose a redemption'], ...options]}
          grow
        />
        <span class="quiet">
          {line && (
            <>
              <a href={`/dashboard/redemptions/${encodeURIComponent(code)}`}>{line.product_name}</a>, {line.status}
            </>
          )}
          {!line && first && (
            <>
              The newest is <a href={withQuery({ code: first.redeemCode })}>{first.redeemCode}</a>.
            </>
          )}
          {lines?.length === 0 && (
            <>
              No redemptions yet: <a href={microsite ?? ''}>redeem something</a> first.
            </>
          )}
        </span>
      </div>
    </form>
  );
}

/** What the other party said to what was caused. */
function answered({ outcome, message }: Schemas['Answered'], accepted: string) {
  if (outcome === 'accepted') return accepted;
  return outcome === 'refused' ? `Refused: ${message}` : `No usable response: ${message}`;
}

function Payment({ uid, amount, customers }: { uid: string; amount: string; customers: Options }) {
  const run = async (fields: Fields) => {
    const { data, trace } = await traced(api.POST('/triggers/payment', { body: filled(fields) }));
    const { points, transactionId, answer } = data;
    return caused(
      answered(answer, `${transactionId} accepted: ${points} points will be credited to ${data.uid}.`),
      trace,
    );
  };
  return (
    <Panel title="Payment">
      <p class="quiet">The reference client reports a digital payment to the platform, which credits points.</p>
      <Form title="Payment" label="Report payment" run={run}>
        <Picker name="uid" label="Customer" options={customers} value={uid} />
        <Field name="paymentAmount" label="Amount" unit="INR" inputmode="decimal" value={amount} required />
        <Field name="transactionId" label="Transaction id" maxlength="64" hint="Optional. Defaults to a new id." />
      </Form>
    </Panel>
  );
}

function CatalogueChange({ items }: { items: Options }) {
  const run = async ({ sku_code, change, stock }: Fields) => {
    const count = number(stock);
    const item = count === undefined ? undefined : { stock: count };
    const body = filled({ sku_code, change, item }) as Schemas['CatalogueChangeTrigger'];
    const { data, trace } = await traced(api.POST('/triggers/catalogue_change', { body }));
    const hooks = data.webhook_ids.length;
    return caused(
      `${data.sku_code} ${change}: ${hooks} ${hooks === 1 ? 'webhook is' : 'webhooks are'} notified.`,
      trace,
    );
  };
  const sure = ({ sku_code, change }: Fields) =>
    change === 'removed' ? `${sku_code || 'The first item'} will be removed from the catalogue.` : undefined;
  return (
    <Panel title="Catalogue change">
      <p class="quiet">Updates an item, changes its stock or removes it, and notifies registered webhooks.</p>
      <Form title="Catalogue change" label="Change item" run={run} sure={sure}>
        <Picker name="sku_code" label="Item" options={[['', 'First catalogue item'], ...items]} />
        <Choice
          name="change"
          label="Change"
          options={[
            ['updated', 'Updated'],
            ['removed', 'Removed'],
          ]}
        />
        <Field
          name="stock"
          label="New stock"
          unit="pieces"
          type="number"
          min="0"
          max="999999999"
          hint="Optional. Defaults to the current stock."
        />
      </Form>
    </Panel>
  );
}

function StatusUpdate({ code }: About) {
  const run = async ({ redeemCode, status, orderStatus, remark }: Fields) => {
    const body = filled({ redeemCode, status, orderStatus, remark }) as Schemas['StatusUpdateTrigger'];
    const { data, trace } = await traced(api.POST('/triggers/status_update', { body }));
    return caused(answered(data.answer, `The client accepted ${data.status}.`), trace);
  };
  return (
    <Panel title="Status update">
      <p class="quiet">
        The platform sends the client a status update, even one that contradicts an earlier one. Nothing changes at the
        platform.
      </p>
      <Form title="Status update" label="Send status update" run={run}>
        <input type="hidden" name="redeemCode" value={code} />
        <Choice name="status" label="Status" options={statuses} />
        <Choice name="orderStatus" label="Order status" options={[['', 'Same as status'], ...statuses]} />
        <Field name="remark" label="Remark" maxlength="200" grow />
      </Form>
    </Panel>
  );
}

function Timeout({ code }: About) {
  const run = async ({ redeemCode, on_timeout }: Fields) => {
    const body = filled({ redeemCode, on_timeout }) as Schemas['TimeoutTrigger'];
    const { data, trace } = await traced(api.POST('/triggers/timeout', { body }));
    return caused(`The redemption is now ${data.state} at the client.`, trace);
  };
  return (
    <Panel title="Timeout">
      <p class="quiet">The reference client treats a redemption as if it had been pending too long.</p>
      <Form title="Timeout" label="Time out redemption" run={run}>
        <input type="hidden" name="redeemCode" value={code} />
        <Choice
          name="on_timeout"
          label="Client action"
          options={[
            ['', 'Use the workspace setting'],
            ['reverse', 'Reverse'],
            ['wait', 'Wait'],
          ]}
        />
      </Form>
    </Panel>
  );
}

function Cancellation({ code }: About) {
  const run = async ({ redeemCode, reason }: Fields) => {
    const body = filled({ redeemCode, reason }) as Schemas['CancellationTrigger'];
    const { data, trace } = await traced(api.POST('/triggers/cancellation', { body }));
    return caused(`Cancelled: ${data.cancelled.join(', ')}. The client is notified.`, trace);
  };
  return (
    <Panel title="Cancellation">
      <p class="quiet">
        The platform cancels a pending redemption if its vendor accepts. The client refunds the points.
      </p>
      <Form title="Cancellation" label="Cancel redemption" run={run}>
        <input type="hidden" name="redeemCode" value={code} />
        <Field name="reason" label="Reason" maxlength="200" hint="Sent as the remark." grow />
      </Form>
    </Panel>
  );
}

function VendorOutcome({ code }: About) {
  const run = async ({ redeemCode, outcome, reason, times }: Fields) => {
    const wish = { redeemCode, outcome, reason, times: number(times) };
    const body = filled(wish) as Schemas['VendorOutcomeTrigger'];
    const { data, trace } = await traced(api.POST('/triggers/vendor_outcome', { body }));
    return caused(`The platform calls the vendor of ${data.sku_code} now. Outcome: ${data.outcome}.`, trace);
  };
  return (
    <Panel title="Vendor response">
      <p class="quiet">
        Sets what the vendor does with one pending redemption, and makes the platform call the vendor immediately.
      </p>
      <Form title="Vendor response" label="Set outcome" run={run}>
        <input type="hidden" name="redeemCode" value={code} />
        <Choice name="outcome" label="Outcome" options={outcomeNames} grow />
        <Field name="reason" label="Reason" maxlength="200" hint="Sent as the remark of a rejection." />
        <Field
          name="times"
          label="Attempts that fail first"
          type="number"
          min="1"
          max="4"
          hint="For “fail, then deliver” only."
        />
      </Form>
    </Panel>
  );
}
