import { allOf, api, ask, type Schemas } from '../api.ts';
import { amount, customerFact, deliveryText, Facts, figure, State } from '../figures.tsx';
import { Action, runDueJobs, useResult } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Note, Panel, Problem } from '../parts.tsx';
import { redemptionAddress } from '../route.ts';
import { Balance, paid } from './balance.tsx';

type Difference = Schemas['Difference'];
type Delivery = Schemas['Delivery'];

/** The meaning of each kind of difference. */
const meanings: Readonly<Record<Difference['kind'], string>> = {
  orphan_deduction: 'The client deducted points, but there is no order: the customer paid but receives nothing.',
  missing_reversal: 'The platform rejected the redemption, but the client has not refunded the points.',
  missing_deduction: 'The platform has the redemption, but the client deducted nothing: the customer has not paid.',
  points_differ: 'Both sides recorded a deduction, but of different amounts.',
};

/** The remedy for each kind of difference if nothing is in progress. */
const remedies: Readonly<Record<Difference['kind'], string>> = {
  orphan_deduction: 'No retry is scheduled. The client must refund the points itself, as it does after its timeout.',
  missing_reversal: 'No retry is scheduled. Send Rejected again; a client that returns 200 must refund the points.',
  missing_deduction:
    'No retry is scheduled. Check whether the client deducts points before it returns 200 to saveRedeemDetails, and check its later actions.',
  points_differ: 'No retry is scheduled. The client must deduct exactly totalPointWithProcessingFee.',
};

/** Ledger mismatches between platform and client, with a remedy for each. */
export function Reconciliation() {
  const { data, failure } = useFresh(read, []);
  const [result, tell] = useResult();
  if (data === undefined) return failure && <Problem failure={failure} />;
  const { differences, deliveries, clock, own } = data;
  return (
    <>
      {failure && <Problem failure={failure} />}
      {own && (
        <>
          <p class="notice hint">
            Your own server is connected. The balances that it returned are compared with its responses to deductions,
            reversals and credits.
          </p>
          <div class="ways">
            <Action look="main" label="Check balances" run={() => readBalances(tell)} />
          </div>
        </>
      )}
      <Note>{figure(differences.length)} to review</Note>
      <Note look="quiet action-result">{result}</Note>
      {differences.length === 0 && (
        <Empty title="The ledgers agree">
          {own
            ? 'Every balance that your server returned matches its responses.'
            : 'Platform and client have the same points for every redemption.'}{' '}
          To see a difference, <a href="/dashboard/simulation?view=faults">make updateRedeemStatus fail</a> and reject
          an order.
        </Empty>
      )}
      <div class="columns">
        {differences.flatMap((one) => ('redeem_code' in one ? [] : [<Balance key={one.uid} difference={one} />]))}
        {differences
          .filter((one) => 'redeem_code' in one)
          .map((one) => (
            <Found
              key={one.redeem_code}
              difference={one}
              delivery={deliveries.find(({ redeem_code }) => redeem_code === one.redeem_code)}
              clock={clock}
              tell={tell}
            />
          ))}
      </div>
    </>
  );
}

/** Reads balances from the user's own server if they can reveal a new difference. */
async function readBalances(tell: (text: string) => string) {
  const { length } = await allOf((query) => api.GET('/reconciliation', { params: { query } }));
  return tell(`Balances checked: ${length === 0 ? 'no differences' : `${length} to review`}.`);
}

async function read() {
  const [differences, deliveries, clock, { settings, urls }] = await Promise.all([
    // Call the user's own server only when the user presses the button.
    allOf((query) => api.GET('/reconciliation', { params: { query: { ...query, balances: 'known' } } })),
    allOf((query) => api.GET('/deliveries', { params: { query } })),
    ask(api.GET('/clock')),
    ask(api.GET('/workspace')),
  ]);
  return { differences, deliveries, clock, own: settings.client_url !== urls.client };
}

interface RemedyProps {
  difference: Difference;
  delivery: Delivery | undefined;
  tell: (text: string) => string;
}

function Found({ difference: found, delivery, clock, tell }: RemedyProps & { clock: Schemas['Clock'] }) {
  const { redeem_code, uid, kind, platform, client, difference } = found;
  return (
    <Panel title={redeem_code} aside={<span class="badge reversed">{kind.replace('_', ' ')}</span>}>
      <p>
        {meanings[kind]} {paid(difference)}
      </p>
      <Facts of={[['Platform', <Side side={platform} />], ['Client', <Side side={client} />], customerFact(uid)]} />
      <h3>What to do</h3>
      <p>{advice(found, delivery, clock)}</p>
      <div class="ways">
        <Remedy difference={found} delivery={delivery} tell={tell} />
        <a href={redemptionAddress(redeem_code)}>Timeline of {redeem_code}</a>
      </div>
    </Panel>
  );
}

function Side({ side }: { side: { state: string; points: number } | null }) {
  return side === null ? 'not found' : [<State state={side.state} />, ` ${amount(side.points)}`];
}

function advice({ kind, outstanding, platform }: Difference, delivery: Delivery | undefined, clock: Schemas['Clock']) {
  if (outstanding === 'none') return remedies[kind];
  if (delivery !== undefined) {
    const remedy = delivery.status === 'parked' ? ' Fix the client, then retry.' : '';
    return deliveryText(delivery, clock) + remedy;
  }
  if (outstanding === 'parked')
    return 'The platform gave up after all attempts to notify the client. Fix the client, then retry.';
  return platform?.state === 'Pending'
    ? 'The platform is waiting for the vendor, then notifies the client.'
    : 'The platform is still retrying. Wait, or run due jobs.';
}

function Remedy({ difference, delivery, tell }: RemedyProps) {
  const { redeem_code: redeemCode, kind, outstanding, platform, client } = difference;
  const replay = async (id: string) => {
    await ask(api.POST('/deliveries/{id}/replay', { params: { path: { id } } }));
    return tell(`${redeemCode}: retried, ${await runDueJobs('due job')}`);
  };
  const report = async () => {
    const body = { redeemCode, status: 'Rejected' } as const;
    const { answer } = await ask(api.POST('/triggers/status_update', { body }));
    return tell(`${redeemCode}: sent Rejected, the client ${answer.outcome} it. ${answer.message}`.trim());
  };
  const timeout = async () => {
    const { state } = await ask(api.POST('/triggers/timeout', { body: { redeemCode, on_timeout: 'reverse' } }));
    return tell(`${redeemCode} is now ${state} at the client.`);
  };
  if (delivery !== undefined) {
    return <Action look="main" label="Retry delivery" what={redeemCode} run={() => replay(delivery.id)} />;
  }
  if (outstanding !== 'none') {
    const run = async () => tell(`${redeemCode}: ${await runDueJobs('due job')}`);
    return <Action label="Run due jobs" what={`for ${redeemCode}`} run={run} />;
  }
  if (kind === 'missing_reversal' && platform !== null) {
    return <Action look="main" label="Send Rejected again" what={redeemCode} run={report} />;
  }
  if (kind === 'orphan_deduction' && client?.state === 'Pending') {
    return <Action look="main" label="Time out redemption" what={redeemCode} run={timeout} />;
  }
  return undefined;
}
