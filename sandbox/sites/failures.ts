import { clientProblem, type Envelope, type Rendered } from '../contract/envelopes.ts';
import type { RequestFailure } from '../contract/failure-tables.ts';
import type { StatusTable } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { html, notice, page, pageHeaders, type Site } from './site.ts';

/** The failures that a page can show. */
export type WebFailure =
  | RequestFailure
  | { readonly kind: 'incomplete_link' }
  | { readonly kind: 'not_allowed'; readonly isAddressed: boolean }
  | { readonly kind: 'session_ended' }
  | Extract<PlatformFailure, { kind: 'insufficient_balance' | 'product_not_available' | 'refused_by_client' }>
  | Extract<PlatformFailure, { kind: 'client_no_answer' | 'idempotency_conflict' }>
  | { readonly kind: 'dashboard_not_built' }
  | { readonly kind: 'too_late'; readonly order_id: string; readonly problem: string };

type PageText<F, Text = string> = string | ((failure: F) => Text);

/** The page of each failure kind: its status, its heading, and advice. */
type PageTable = {
  readonly [K in WebFailure['kind']]: {
    readonly status: number;
    readonly title: string;
    readonly text: PageText<Extract<WebFailure, { kind: K }>>;
    /** Additional information for developers. */
    readonly hint?: PageText<Extract<WebFailure, { kind: K }>, string | undefined>;
    /** The link to continue within a session, with its text. */
    readonly back?: Back | ((failure: Extract<WebFailure, { kind: K }>) => Back);
  };
};

type Back = readonly [href: string, label: string];

const unreadable = {
  title: 'This request is not valid',
  text: 'A browser does not send requests like this. Go back to the previous page and try again.',
} as const;
const toRewards = ['rewards', 'Back to rewards'] as const;

/** Hints about the workspace that validated a token. They do not reveal whether a workspace identified by the token exists. */
const askedByAddress =
  'For developers: the platform validated the token with the client server of the workspace in this address.';
const askedByToken =
  'For developers: this address identifies no workspace. The platform validated the token with the client server of the demo ' +
  'workspace. To use tokens from the server of another workspace, send ' +
  'customers to urls.portal of that workspace; GET /sandbox/v1/workspace returns it.';

/** All error pages. The statuses come from the contract. */
export const pageTable = {
  incomplete_link: {
    status: 400,
    title: 'This link is incomplete',
    text: 'Part of the link is missing or was changed. Go back to your rewards programme and open your rewards again.',
  },
  malformed_json: { status: 400, ...unreadable },
  malformed_http: { status: 400, ...unreadable },
  foreign_host: {
    status: 400,
    title: 'Unknown host name',
    text: 'This sandbox does not accept the host name in the address. Its operator can allow the name with --allow-host.',
  },
  foreign_site: {
    status: 400,
    title: 'This form came from another site',
    text: 'Another site sent this form, so it was not processed. Go back to the previous page and try again.',
  },
  own_call: { status: 400, ...unreadable },
  duplicate_authorization: { status: 400, ...unreadable },
  not_found: {
    status: 404,
    title: 'Page not found',
    text: 'This page does not exist or has been removed.',
    hint: ({ problem }) => problem && `For developers: ${problem}.`,
  },
  method_not_allowed: { status: 405, ...unreadable },
  idempotency_conflict: {
    status: 409,
    title: 'This order was already sent',
    text: 'The same form was sent before with other values, and that order was placed. Nothing new was ordered.',
    back: ['history', 'View your orders'],
  },
  workspace_full: {
    status: 409,
    title: 'The workspace is full',
    text: 'This sandbox workspace has reached its storage limit, so nothing was done. Delete data or reset the workspace.',
  },
  too_late: {
    status: 409,
    title: 'It is too late to cancel',
    text: ({ problem }) => `Your order ${problem}. Nothing has changed.`,
    back: ({ order_id }) => [`../${order_id}`, 'Back to your order'],
  },
  session_ended: {
    status: 410,
    title: 'Your visit has ended',
    text: 'You left, or your session expired. Sign in again from your rewards programme.',
  },
  body_too_large: {
    status: 413,
    title: 'Your entry is too long',
    text: 'Shorten your entry and send it again.',
  },
  unsupported_media_type: { status: 415, ...unreadable },
  not_allowed: {
    status: 422,
    title: 'This link does not open your rewards',
    text: 'The link was already used or has expired. Sign in again and open your rewards from there.',
    hint: ({ isAddressed }) => (isAddressed ? askedByAddress : askedByToken),
  },
  insufficient_balance: {
    status: 422,
    title: 'Insufficient balance',
    text: ({ needed, available }) =>
      `You need ${needed} points and have ${available}. Nothing was ordered and no points were deducted.`,
    back: toRewards,
  },
  product_not_available: {
    status: 422,
    title: 'No longer available',
    text: 'Not enough of this reward is left. Nothing was ordered and no points were deducted.',
    back: toRewards,
  },
  refused_by_client: {
    status: 422,
    title: 'Your order was refused',
    text: ({ message }) => `Message from your rewards programme: ${message} Nothing was ordered.`,
    back: toRewards,
  },
  headers_too_large: { status: 431, ...unreadable },
  internal_error: {
    status: 500,
    title: 'Something went wrong',
    text: 'This is an error on our side. Try again in a moment.',
  },
  client_no_answer: {
    status: 502,
    title: 'Your account is unavailable',
    text: 'Your rewards programme is not responding. Your points are safe. Try again in a few minutes.',
  },
  unavailable: { status: 503, title: 'Temporarily unavailable', text: 'Try again in a few minutes.' },
  dashboard_not_built: {
    status: 503,
    title: 'The dashboard is not built yet',
    text: 'In a checkout, the sandbox builds it in the background when it starts. Reload this page in a few seconds. If it does not open, run npm run dashboard to see the reason.',
  },
  store_gave_up: {
    status: 503,
    title: 'The sandbox cannot store data',
    text: 'A disk write failed, or another process took over the data. The operator finds the reason in the terminal and must restart the sandbox.',
  },
} as const satisfies PageTable & StatusTable<WebFailure>;

/** Returns the envelope that renders failures as pages of a site. */
export function pageEnvelope(site: Site, unauthenticated: WebFailure): Envelope<WebFailure> {
  return {
    render: (failure) => rendered(site, failure),
    plain: (status) => ({ ...rendered(site, { kind: 'internal_error' }), status }),
    invalid: () => ({ kind: 'incomplete_link' }),
    unauthenticated: () => unauthenticated,
    headers: () => pageHeaders(site),
  };
}

function rendered(site: Site, failure: WebFailure): Rendered {
  const table: PageTable = pageTable;
  const { status, title, text, hint, back = site.start } = table[failure.kind];
  const way = typeof back === 'function' ? back(failure as never) : back;
  const render = <T>(say: PageText<never, T>) => (typeof say === 'string' ? say : say(failure as never));
  const main = notice(html`<h1>${title}</h1>`, render(text), way, { advice: hint && render(hint) });
  return { status, body: page(site, { title, main }), headers: headersOf(failure) };
}

function headersOf(failure: WebFailure): Readonly<Record<string, string>> {
  if (failure.kind === 'client_no_answer') return clientProblem(failure.reason);
  const isBrief = failure.kind === 'unavailable' || failure.kind === 'dashboard_not_built';
  return isBrief ? { 'Retry-After': '1' } : {};
}
