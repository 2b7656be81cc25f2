import { allOf, api, ask, type Schemas, traced } from '../api.ts';
import { Action, Choice, Field, type Fields, FormPanel, filled, number, Picker, runDueJobs } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, type Options, Problem } from '../parts.tsx';
import { go, redemptionAddress, withQuery } from '../route.ts';
import { outcomeNames } from './outcomes.tsx';
import type { Given } from './simulation.tsx';

const timeouts = Object.entries({ '': 'Use the workspace setting', reverse: 'Reverse', wait: 'Wait' });
const statuses = ['Delivered', 'Rejected', 'Pending'].map((status) => [status, status] as const);

/** The events of the flows, each with a form that triggers it. */
export function Triggers({ query }: Given) {
  const { data, failure } = useFresh(read, []);
  const code = query.get('code') ?? '';
  const customers = (data?.customers ?? []).map(({ uid, profile }) => [uid, `${profile.name}, ${uid}`] as const);
  const items = (data?.items ?? []).map(({ sku_code, skus }) => [sku_code, `${skus}, ${sku_code}`] as const);
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
      <Redemption code={code} data={data} />
      {code !== '' && <OfRedemption code={code} />}
      {code === '' && (
        <Empty title="No redemption chosen">
          Choose one to set its vendor’s response, send a status update, cancel it or time it out.
        </Empty>
      )}
    </>
  );
}

async function read() {
  const [workspace, clock, customers, items, orders] = await Promise.all([
    ask(api.GET('/workspace')),
    ask(api.GET('/clock')),
    allOf((query) => api.GET('/customers', { params: { query } })),
    allOf((query) => api.GET('/catalogue', { params: { query } })),
    ask(api.GET('/orders')),
  ]);
  // The orders are sorted oldest first, and the lines newest first.
  const lines = orders.items.flatMap(({ order }) => order.lines).reverse();
  return { microsite: workspace.urls.microsite, clock, customers, items, lines };
}

/** The redemption that the triggers apply to. */
function Redemption({ code, data }: { code: string; data: Awaited<ReturnType<typeof read>> | undefined }) {
  const lines = data?.lines;
  const options = (lines ?? []).map(
    ({ redeemCode, product_name, status }) => [redeemCode, `${product_name}, ${status}, ${redeemCode}`] as const,
  );
  const line = lines?.find(({ redeemCode }) => redeemCode === code);
  const [first] = lines ?? [];
  const change = (value: string) => go(withQuery({ code: value }), { replace: true });
  const choices = [['', 'Choose a redemption'] as const, ...options];
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <div class="field grow">
        <Picker name="code" label="Redemption" value={code} change={change} options={choices} grow />
        <span class="quiet">
          {line && [<a href={redemptionAddress(code)}>{line.product_name}</a>, `, ${line.status}`]}
          {!line &&
            first && ['The newest is ', <a href={withQuery({ code: first.redeemCode })}>{first.redeemCode}</a>, '.']}
          {lines?.length === 0 && [
            'No redemptions yet: ',
            <a href={data?.microsite ?? ''}>redeem something</a>,
            ' first.',
          ]}
        </span>
      </div>
    </form>
  );
}

/** Describes the other party's answer to a triggered event. */
function answered({ outcome, message }: Schemas['Answered'], accepted: string) {
  if (outcome === 'accepted') return accepted;
  if (outcome !== 'refused') return `No usable response: ${message}`;
  return message.startsWith('Refused by') ? message : `Refused: ${message}`;
}

interface TriggerProps<T> extends Omit<Parameters<typeof FormPanel>[0], 'run'> {
  send: (fields: Fields) => Parameters<typeof traced<T>>[0];
  says: (data: T, fields: Fields) => string;
}

/** A form that triggers an event, with a link to the resulting calls. */
function Trigger<T>({ send, says, ...form }: TriggerProps<T>) {
  const run = async (fields: Fields) => {
    const { data, trace } = await traced(send(fields));
    const calls = <a href={`/dashboard/traffic?q=${encodeURIComponent(trace)}`}>View in Traffic</a>;
    return [says(data, fields), ' ', calls];
  };
  return <FormPanel {...form} run={run} />;
}

function Payment({ uid, amount, customers }: { uid: string; amount: string; customers: Options }) {
  return (
    <Trigger
      title="Payment"
      about="The reference client reports a digital payment to the platform, which credits points."
      label="Report payment"
      send={(fields) => api.POST('/triggers/payment', { body: filled(fields) })}
      says={({ points, transactionId, answer, uid }) =>
        answered(answer, `${transactionId} accepted: ${points} points will be credited to ${uid}.`)
      }
    >
      <Picker name="uid" label="Customer" options={customers} value={uid} />
      <Field name="paymentAmount" label="Amount" unit="INR" inputmode="decimal" value={amount} required />
      <Field name="transactionId" label="Transaction id" maxlength="64">
        Optional. Defaults to a new id.
      </Field>
    </Trigger>
  );
}

function CatalogueChange({ items }: { items: Options }) {
  return (
    <Trigger
      title="Catalogue change"
      about="Updates an item, changes its stock or removes it, and notifies registered webhooks."
      label="Change item"
      send={({ sku_code, change, stock }) => {
        const count = number(stock);
        const item = count === undefined ? undefined : { stock: count };
        const body = filled({ sku_code, change, item }) as Schemas['CatalogueChangeTrigger'];
        return api.POST('/triggers/catalogue_change', { body });
      }}
      says={({ sku_code, webhook_ids: { length } }, { change }) =>
        `${sku_code} ${change}: ${length} ${length === 1 ? 'webhook is' : 'webhooks are'} notified.`
      }
      sure={({ sku_code, change }) =>
        change === 'removed' ? `${sku_code || 'The first item'} will be removed from the catalogue.` : undefined
      }
    >
      <Picker name="sku_code" label="Item" options={[['', 'First catalogue item'], ...items]} />
      <Choice name="change" label="Change" options={Object.entries({ updated: 'Updated', removed: 'Removed' })} />
      <Field name="stock" label="New stock" unit="pieces" range={[0, 999_999_999]}>
        Optional. Defaults to the current stock.
      </Field>
    </Trigger>
  );
}

/** The events of one redemption. */
function OfRedemption({ code }: { code: string }) {
  const about = <input type="hidden" name="redeemCode" value={code} />;
  return (
    <div class="columns">
      <Trigger
        title="Vendor response"
        about="Sets what the vendor does with one pending redemption, and makes the platform call the vendor immediately."
        label="Set outcome"
        send={({ times, ...fields }) =>
          api.POST('/triggers/vendor_outcome', { body: filled({ ...fields, times: number(times) }) as never })
        }
        says={({ sku_code, outcome }) => `The platform calls the vendor of ${sku_code} now. Outcome: ${outcome}.`}
      >
        {about}
        <Choice name="outcome" label="Outcome" options={outcomeNames} grow />
        <Field name="reason" label="Reason" maxlength="200">
          Sent as the remark of a rejection.
        </Field>
        <Field name="times" label="Attempts that fail first" range={[1, 4]}>
          For “fail, then deliver” only.
        </Field>
      </Trigger>
      <Trigger
        title="Status update"
        about="The platform sends the client a status update, even one that contradicts an earlier one. Nothing changes at the platform."
        label="Send status update"
        send={(fields) => api.POST('/triggers/status_update', { body: filled(fields) as never })}
        says={({ answer, status }) => answered(answer, `The client accepted ${status}.`)}
      >
        {about}
        <Choice name="status" label="Status" options={statuses} />
        <Choice name="orderStatus" label="Order status" options={[['', 'Same as status'], ...statuses]} />
        <Field name="remark" label="Remark" maxlength="200" grow />
      </Trigger>
      <Trigger
        title="Cancellation"
        about="The platform cancels a pending redemption if its vendor accepts. The client refunds the points."
        label="Cancel redemption"
        send={(fields) => api.POST('/triggers/cancellation', { body: filled(fields) as never })}
        says={({ cancelled }) => `Cancelled: ${cancelled.join(', ')}. The client is notified.`}
      >
        {about}
        <Field name="reason" label="Reason" maxlength="200" grow>
          Sent as the remark.
        </Field>
      </Trigger>
      <Trigger
        title="Timeout"
        about="The reference client treats a redemption as if it had been pending too long."
        label="Time out redemption"
        send={(fields) => api.POST('/triggers/timeout', { body: filled(fields) as never })}
        says={({ state }) =>
          state === 'Pending'
            ? 'Nothing changed: the client waits. To have it refund the points, choose Reverse.'
            : `The redemption is now ${state} at the client.`
        }
      >
        {about}
        <Choice name="on_timeout" label="Client action" options={timeouts} />
      </Trigger>
    </div>
  );
}
