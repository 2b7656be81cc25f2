/** Formatting of points, durations, body sizes, times and states. */
import type { ComponentChildren } from 'preact';
import type { Schemas } from './api.ts';
import { CodeToCopy } from './parts.tsx';

/** Formats points with their unit, such as `1,250 points`. */
export function amount(points: number) {
  return `${figure(points)} ${points === 1 ? 'point' : 'points'}`;
}

/** Formats a number of points, calls or entries, such as `1,250`. */
export function figure(number: number) {
  return number.toLocaleString('en-IN');
}

/** Formats an item with its quantity, such as `2 × Gift voucher`. */
export function itemName({ quantity, product_name }: { quantity: number; product_name: string }) {
  return quantity > 1 ? `${quantity} × ${product_name}` : product_name;
}

/** Formats a change in points with its sign. */
export function signed(points: number) {
  return `${points < 0 ? '−' : '+'}${figure(Math.abs(points))}`;
}

/** Formats a duration in words, such as `6 min 40 s`. */
export function duration(milliseconds: number) {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return words.slice(0, 2).join(' ') || '0 s';
}

/** The kinds of deliveries. */
export const deliveryKinds = { creditPoints: 'Credit', reportStatus: 'Status update', sendWebhook: 'Webhook' };

/** Describes when the platform will attempt a pending delivery to the client, and why the last attempt failed. */
export function deliveryText({ status, tries, next_at, reason }: Schemas['Delivery'], { now }: Schemas['Clock']) {
  const why = reason ? ` The last attempt failed: ${reason}.` : '';
  if (status === 'parked') return `The platform gave up after ${tries} attempts to notify the client.${why}`;
  const left = Date.parse(next_at ?? now) - Date.parse(now);
  return `The platform will notify the client ${left > 0 ? `in ${duration(left)}` : 'when due jobs run'}.${why}`;
}

/** The state of a redemption or an order, as a colour and in words. */
export function State({ state }: { state: string }) {
  const looks = {
    Delivered: 'redeemed',
    Redeemed: 'redeemed',
    Earned: 'earned',
    Rejected: 'reversed',
    Refused: 'reversed',
    Reversed: 'reversed',
  } as Readonly<Record<string, string>>;
  return <span class={`badge ${looks[state] ?? ''}`}>{state}</span>;
}

/** A title and its value, which is `false` or undefined if there is none. */
export type Fact = readonly [title: string, value: ComponentChildren];

/** A list of facts, without those that have no value. */
export function Facts({ of, look = 'facts' }: { of: readonly Fact[]; look?: string }) {
  const known = of.filter(([, value]) => value !== undefined && value !== false);
  return (
    <dl class={look}>
      {known.map(([title, value]) => (
        <div>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the credentials of a workspace, each with its name. */
export function credentialRows(
  credentials: Schemas['Workspace']['credentials'],
): readonly (readonly [string, string])[] {
  const { company_secret, basic, service_token, general, gateway_token } = credentials;
  return [
    ['Company secret', company_secret],
    ['Microsite user', basic.username],
    ['Microsite password', basic.password],
    ['Service token', service_token],
    ['General API password', general.password],
    ['Gateway token', gateway_token],
  ];
}

/** Returns facts with a copy button each. `whatOf` returns the button's description for a title. */
export function copiedFacts(values: readonly (readonly string[])[], whatOf = (title: string) => title) {
  return values.map(([title = '', text = '']): Fact => [title, <CodeToCopy text={text} what={whatOf(title)} />]);
}

/** Returns the customer as a fact, with a link to the customer's ledger. */
export function customerFact(uid: string | null): Fact {
  return ['Customer', uid !== null && <a href={`/dashboard/ledger?uid=${encodeURIComponent(uid)}`}>{uid}</a>];
}

/** Duration of a full bar, in milliseconds: longer than a caller waits. */
const longest = 60_000;

/** Formats a short duration, such as `12 ms` or `2.4 s`. */
export function length(milliseconds: number) {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/** Returns the length of a duration's bar, in percent. The scale is logarithmic, so that both 5 ms and 5 s are visible. */
export function lengthShare(milliseconds: number) {
  return Math.round(Math.min(1, Math.log1p(milliseconds) / Math.log1p(longest)) * 100);
}

/**
 * Formats the size of a body as compact JSON with masked values, such as `312 B` or `4.1 KB`. If the log omitted the
 * body, returns its kind. Returns `undefined` if there was no body.
 */
export function sizeOf(body: unknown) {
  if (body === null || body === undefined) return undefined;
  const { omitted } = body as { omitted?: unknown };
  const left = typeof omitted === 'string' ? Number.parseInt(omitted, 10) : Number.NaN;
  const bytes = Number.isNaN(left) ? new TextEncoder().encode(JSON.stringify(body)).length : left;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB`;
}

// Times are in the viewer's time zone. The log and the control API use UTC.
const two = (number: number) => String(number).padStart(2, '0');

/** Formats the date and time of an ISO 8601 timestamp, such as `2026-01-12 09:30:05`. */
export function dateTime(at: string) {
  const date = new Date(at);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${timeOfDay(at)}`;
}

/** Formats the time of day of an ISO 8601 timestamp, such as `09:30:05`; with milliseconds if `precise`. */
export function timeOfDay(at: string, precise = false) {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return precise ? `${time}.${String(date.getMilliseconds()).padStart(3, '0')}` : time;
}

/** Formats a timestamp in UTC, for comparison with the log. */
export function inUtc(at: string) {
  return `${at.slice(0, 23).replace('T', ' ')} UTC`;
}

/** Returns the viewer's time zone, such as `Asia/Kolkata (UTC+05:30)`. */
export function zone() {
  const minutes = -new Date().getTimezoneOffset();
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (minutes === 0) return 'UTC';
  const offset = `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${name} (${offset})`;
}

/** A date and time. */
export function When({ at }: { at: string }) {
  return <Instant at={at} text={dateTime(at)} />;
}

/** A time of day; with milliseconds if `precise`. */
export function Time({ at, precise = false }: { at: string; precise?: boolean }) {
  return <Instant at={at} text={timeOfDay(at, precise)} />;
}

/** A timestamp as `text`, with UTC on hover. */
function Instant({ at, text }: { at: string; text: string }) {
  return (
    <time datetime={at} title={inUtc(at)}>
      {text}
    </time>
  );
}

const clientStates = {
  not_called: ['none', 'not called yet'],
  answers: ['good', 'answers'],
  refuses: ['warn', 'refuses'],
  silent: ['bad', 'no answer'],
} as const;

/** The state of the partner's own server, from its last call; `null` while the reference client is in use. */
export function ClientState({ client }: { client: Schemas['ClientHealth'] | null }) {
  if (client === null) return <span class="status none">reference client</span>;
  const [style, words] = clientStates[client.state];
  return (
    <span>
      <span class={`status ${style}`}>your server: {words}</span>
      {client.since !== null && [' since ', <When at={client.since} />]}
      {client.reason !== null && <span class="quiet reason"> {client.reason}</span>}
    </span>
  );
}
