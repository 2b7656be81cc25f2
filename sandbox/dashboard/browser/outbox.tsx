import { useRef } from 'preact/hooks';
import { api, ask, type Schemas } from './api.ts';
import { When } from './figures.tsx';
import { FilterChoice, Filters, ShowMore } from './filters.tsx';
import { useFresh } from './live.ts';
import { FirstCall, MicrositeLink } from './microsite-link.tsx';
import { Copy, NoMatches, Note, Problem } from './parts.tsx';
import { type Route, withQuery } from './route.ts';

type Message = Schemas['Message'];

/** Number of messages shown initially, and added by each request for more. */
const step = 50;

const sources = { reference_client: 'Reference client', gateway: 'Message gateway' } as const;

const kinds = {
  otp: 'One-time password',
  voucher: 'Voucher',
  delivered: 'Product delivered',
  rejected: 'Order rejected',
  reversed: 'Points refunded',
  credited: 'Points credited',
  other: 'Other message',
} as const;

/** Messages to customers, live and newest first: from the reference client, or from another client through the gateway. */
export function Outbox({ route: { query } }: { route: Route }) {
  const { data, failure } = useFresh(() => ask(api.GET('/messages', { params: { query: { limit: 1000 } } })), []);
  const kind = query.get('kind') ?? '';
  const source = query.get('source') ?? '';
  const customer = (query.get('uid') ?? '').toLowerCase();
  const all = data?.items ?? [];
  const wanted = all.filter(
    (message) =>
      (kind === '' || message.kind === kind) &&
      (source === '' || message.source === source) &&
      (message.uid ?? '').toLowerCase().includes(customer),
  );
  const rows = Number(query.get('rows') ?? step);
  const seen = useSeen(data?.items);
  const fresh = wanted.filter(({ seq }) => seq > seen);
  return (
    <>
      <h1>Outbox</h1>
      <p class="quiet">Messages that the client would send by SMS and WhatsApp. Nothing leaves the sandbox.</p>
      <Filters query={query} label="Customer" name="uid" placeholder="CUST0007">
        <FilterChoice query={query} name="kind" label="Kind" titles={kinds} />
        <FilterChoice query={query} name="source" label="Sent by" titles={sources} />
      </Filters>
      {failure && <Problem failure={failure} />}
      {data !== undefined && (
        <p class="quiet">
          {wanted.length} of {all.length} messages
        </p>
      )}
      <Note look="unseen">{announced(fresh)}</Note>
      {data !== undefined && all.length === 0 && <First />}
      {all.length > 0 && wanted.length === 0 && <NoMatches href="/dashboard/outbox" />}
      <ol class="messages">
        {wanted.slice(0, rows).map((one) => (
          <li key={one.seq}>
            <Shown message={one} fresh={one.seq > seen} />
          </li>
        ))}
      </ol>
      {wanted.length > rows && <ShowMore rows={rows + step} />}
    </>
  );
}

/**
 * Returns the highest message number at the time the screen was opened. Messages with a higher number are new. A reset
 * of the outbox resets this number.
 */
function useSeen(messages: readonly Message[] | undefined) {
  const seen = useRef(undefined as number | undefined);
  const highest = messages?.[0]?.seq ?? 0;
  if (messages !== undefined && (seen.current === undefined || highest < seen.current)) seen.current = highest;
  return seen.current ?? 0;
}

/** Returns the screen reader announcement for new messages. */
function announced([newest, ...more]: readonly Message[]) {
  if (newest === undefined) return '';
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  return `New: ${kinds[newest.kind].toLowerCase()} for ${newest.uid ?? newest.mobile}${others}.`;
}

function Shown({ message, fresh }: { message: Message; fresh: boolean }) {
  const { source, uid, kind, channel, mobile, reference_id, otp, expired, text, at } = message;
  /** The recipient: the customer, or the mobile number if the customer is unknown. */
  const whom = uid ?? mobile;
  return (
    <article class={fresh ? 'message new' : 'message'}>
      <div class="head">
        <strong>{kinds[kind]}</strong>
        {uid !== null && <a href={withQuery({ uid, rows: undefined })}>{uid}</a>}
        {fresh && <span class="badge earned">new</span>}
        {expired && <span class="badge stuck">expired</span>}
        <span class="quiet">
          {channel} to {mobile}
          {source === 'gateway' && ' through the gateway'}, <When at={at} />
        </span>
      </div>
      {otp !== undefined && (
        <p class="ways">
          <span class="otp">{otp}</span> <Copy text={otp} label="Copy password" what={`for ${whom}`} />
        </p>
      )}
      <p>{text}</p>
      {reference_id !== undefined && (
        <p class="quiet ways">
          Reference <code>{reference_id}</code>
        </p>
      )}
      <p class="ways">
        <Copy text={text} label="Copy message" what={`to ${whom}`} />
      </p>
    </article>
  );
}

/** Shown while there are no messages, with instructions to trigger one. */
function First() {
  const commandOf = ({ credentials: { basic }, urls }: Schemas['Workspace']) =>
    `curl -s -u '${basic.username}:${basic.password}' \\
  -H 'Content-Type: application/json' -d '{"customer_id":"CUST0007"}' \\
  ${urls.client}/api/v1/auth/generate-otp`;
  return (
    <FirstCall title="No messages yet" label="Command that requests a one-time password" commandOf={commandOf}>
      <MicrositeLink>Sign in on the microsite</MicrositeLink> to receive a one-time password here; vouchers arrive when
      they are delivered. Or request a password as the microsite does:
    </FirstCall>
  );
}
