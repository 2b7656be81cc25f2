import type { Schemas } from './api.ts';
import { State, When } from './figures.tsx';
import { type CallEntry, useFeed } from './live.ts';
import { FirstCall, MicrositeLink } from './microsite-link.tsx';
import { Redemption } from './redemption.tsx';
import { type Route, redemptionAddress } from './route.ts';
import { type Columns, LineItem, Listing, type OrderLine } from './table.tsx';

type PlacedOrder = Schemas['PlacedOrder'];
type Workspace = Schemas['Workspace'];
type Listed = { line: OrderLine; uid: string; order_id: string; at: string; tries: number };

/** All redemptions, or one of them. */
export function Redemptions({ route: { subject, query } }: { route: Route }) {
  return subject === undefined ? <List query={query} /> : <Redemption code={subject} key={subject} />;
}

/** The redemptions of placed orders, newest first. */
function List({ query }: { query: URLSearchParams }) {
  const repeats = useRepeats();
  return (
    <>
      <h1>Redemptions</h1>
      <Listing
        query={query}
        name="redemptions"
        rowsOf={(placed) => linesOf(placed, repeats).toReversed()}
        partOf={(count) => `of the newest ${count} orders`}
        columns={columns}
        keyOf={({ line }) => line.redeemCode}
        textOf={({ line, uid, order_id }) => `${uid}\n${order_id}\n${JSON.stringify(line)}`}
        placeholder="Customer, item, redeem code, order"
        step={100}
        first={<First />}
        clear={<Clear text={query.get('q') ?? ''} />}
      />
    </>
  );
}

/** Returns the number of repeated calls per redeem code, in the entries read so far. */
function useRepeats() {
  const { entries } = useFeed();
  const repeats = new Map<string, number>();
  const postponed = ['delivery.postponed', 'vendor.failed', 'vouchers.postponed'];
  for (const entry of entries) {
    const again = entry.kind === 'state' ? postponed.includes(entry.event) : lost(entry);
    if (again) for (const code of entry.redeem_codes) repeats.set(code, (repeats.get(code) ?? 0) + 1);
  }
  return repeats;
}

/** Returns whether a deduction received no usable response, so that the platform repeats it immediately. */
function lost({ kind, operation, status }: CallEntry) {
  const deducting = operation === 'saveRedeemDetails' || operation === 'redeemPoints';
  return kind === 'call_out' && deducting && (status === null || status >= 500);
}

function linesOf({ uid, order }: PlacedOrder, repeats: ReadonlyMap<string, number>): readonly Listed[] {
  const { order_id, created_at: at } = order;
  return order.lines.map((line) => ({ line, uid, order_id, at, tries: repeats.get(line.redeemCode) ?? 0 }));
}

const columns: Columns<Listed> = {
  status: { by: ({ line }) => line.status, cell: ({ line }) => <State state={line.status} /> },
  item: {
    by: ({ line }) => line.product_name,
    cell: (listed) => <LineItem line={listed.line} remark={remarkOf(listed)} />,
  },
  code: { by: ({ line }) => line.redeemCode },
  customer: { by: ({ uid }) => uid },
  points: { number: true, by: ({ line }) => line.points.totalPointWithProcessingFee },
  placed: { number: true, by: ({ at }) => at, cell: ({ at }) => <When at={at} /> },
};

/** Returns the remarks on a line: the platform's, and the number of repeated calls. */
function remarkOf({ line: { remark }, tries }: Listed) {
  const retries = tries > 0 ? `${tries} ${tries === 1 ? 'retry' : 'retries'}` : '';
  return [remark, retries].filter(Boolean).join('; ');
}

function Clear({ text }: { text: string }) {
  const code = text.trim();
  const open = <a href={redemptionAddress(code)}>open {code}</a>;
  return [
    /^RDM-/i.test(code) && ['Redemptions without an order are not listed: ', open, ', or '],
    <a href="/dashboard/redemptions">clear the filters</a>,
  ];
}

/** Shown while there are no redemptions, with instructions to create one. */
function First() {
  const commandOf = ({ credentials, urls }: Workspace) => `TOKEN=$(curl -s -H 'Content-Type: application/json' \\
  -d '{"secret":"${credentials.company_secret}"}' \\
  ${urls.rewards}/v1/company/auth | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -s -H "Authorization: $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"uid":"CUST0007","line_items":[{"sku":"EGV-SPICE-500","quantity":1}]}' \\
  ${urls.rewards}/v1/partner/redeemptiononskus`;
  return (
    <FirstCall title="No redemptions yet" label="Commands that place an order" commandOf={commandOf}>
      Redeem something as a customer on the <MicrositeLink>microsite</MicrositeLink>, or place an order as the client
      does:
    </FirstCall>
  );
}
