import { clientProblem, type Envelope, type Rendered } from '../contract/envelopes.ts';
import type { RequestFailure } from '../contract/failures.ts';
import type { StatusTable } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { html } from './html.ts';
import { page, pageHeaders, type Site } from './site.ts';

/** What a page can say instead of what was asked for. */
export type WebFailure =
  | RequestFailure
  | { readonly kind: 'incomplete_link' }
  | { readonly kind: 'not_allowed'; readonly isAddressed: boolean }
  | { readonly kind: 'session_ended' }
  | { readonly kind: 'insufficient_balance'; readonly needed: number; readonly available: number }
  | { readonly kind: 'product_not_available'; readonly sku: string }
  | { readonly kind: 'refused_by_client'; readonly message: string }
  | Extract<PlatformFailure, { readonly kind: 'client_no_answer' }>
  | { readonly kind: 'idempotency_conflict' }
  | { readonly kind: 'too_late'; readonly order_id: string; readonly problem: string };

type Told<F> = string | ((failure: F) => string);

/** A failure's page: its status, its heading, and what to do about it. */
type PageTable = {
  readonly [K in WebFailure['kind']]: {
    readonly status: number;
    readonly title: string;
    readonly text: Told<Extract<WebFailure, { kind: K }>>;
    /** What a developer should know about it. */
    readonly hint?: Told<Extract<WebFailure, { kind: K }>>;
    /** Where to go on from inside a session, and what the link says. */
    readonly back?: Back | ((failure: Extract<WebFailure, { kind: K }>) => Back);
  };
};

type Back = readonly [href: string, label: string];

const unreadable = {
  title: 'This request cannot be read',
  text: 'A browser does not send it like this. Go back and start from the page that led here.',
} as const;
const toRewards = ['rewards', 'Back to the rewards'] as const;

/** Which workspace judged a token. It says nothing about whether a workspace exists that a token names. */
const askedByAddress = 'For developers: the platform asked the client server of the workspace that this address names.';
const askedByToken =
  'For developers: this address names no workspace. The platform asked the client server of the demo workspace, or of the ' +
  'workspace that the token names if it is a JWT with that kid. To use tokens of a server that works with another ' +
  'workspace, send customers to urls.portal of that workspace; GET /sandbox/v1/workspace shows it.';

/** Every page that says no. Statuses are the contract's. */
export const pageTable = {
  incomplete_link: {
    status: 400,
    title: 'This link is incomplete',
    text: 'A part of it is missing or was changed. Go back to where you came from and open your rewards again.',
  },
  malformed_json: { status: 400, ...unreadable },
  malformed_http: { status: 400, ...unreadable },
  foreign_host: {
    status: 400,
    title: 'Not at this address',
    text: 'This sandbox does not answer to the name in the address. Whoever runs it can add the name with --allow-host.',
  },
  foreign_site: {
    status: 400,
    title: 'This came from another site',
    text: 'A page elsewhere sent this form, so nothing was done. Go back and start from the page that led here.',
  },
  own_call: { status: 400, ...unreadable },
  duplicate_authorization: { status: 400, ...unreadable },
  not_found: { status: 404, title: 'There is nothing here', text: 'The address is wrong, or what it named is gone.' },
  method_not_allowed: { status: 405, ...unreadable },
  idempotency_conflict: {
    status: 409,
    title: 'This order was sent already',
    text: 'The same form was sent before with other values, and that order stands. Nothing was ordered now.',
    back: ['history', 'See your orders'],
  },
  workspace_full: {
    status: 409,
    title: 'There is no room left',
    text: 'This sandbox workspace holds as much as it may. Nothing was done. Whoever tests with it deletes data, or resets it.',
  },
  too_late: {
    status: 409,
    title: 'It is too late to cancel',
    text: ({ problem }) => `Your order ${problem}. Nothing was changed.`,
    back: ({ order_id }) => [`../${order_id}`, 'Back to your order'],
  },
  session_ended: {
    status: 410,
    title: 'Your visit has ended',
    text: 'You left, or too much time has passed. Sign in again where you came from.',
  },
  body_too_large: {
    status: 413,
    title: 'That is too much at once',
    text: 'Shorten what you entered and send it again.',
  },
  unsupported_media_type: { status: 415, ...unreadable },
  not_allowed: {
    status: 422,
    title: 'This link does not open your rewards',
    text: 'It was used already, or it is too old. Sign in again and open your rewards from there.',
    hint: ({ isAddressed }) => (isAddressed ? askedByAddress : askedByToken),
  },
  insufficient_balance: {
    status: 422,
    title: 'Insufficient balance',
    text: ({ needed, available }) =>
      `You need ${needed} points and have ${available}. Nothing was ordered and no points were taken.`,
    back: toRewards,
  },
  product_not_available: {
    status: 422,
    title: 'No longer available',
    text: 'There are not enough of it left. Nothing was ordered and no points were taken.',
    back: toRewards,
  },
  refused_by_client: {
    status: 422,
    title: 'Your order was refused',
    text: ({ message }) => `Your rewards programme says: ${message} Nothing was ordered.`,
    back: toRewards,
  },
  headers_too_large: { status: 431, ...unreadable },
  internal_error: {
    status: 500,
    title: 'Something went wrong',
    text: 'It is not your fault. Try again in a moment.',
  },
  client_no_answer: {
    status: 502,
    title: 'Your account is out of reach',
    text: 'Your rewards programme does not answer right now. Your points are safe. Try again in a few minutes.',
  },
  unavailable: { status: 503, title: 'Closed for a moment', text: 'Try again in a few minutes.' },
  store_gave_up: {
    status: 503,
    title: 'Nothing more is stored',
    text: 'The disk of the sandbox failed, or another process took its data over. Whoever runs it finds the reason in its terminal, and restarts it.',
  },
} as const satisfies PageTable & StatusTable<WebFailure>;

/** Turns failures into pages of a site. */
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
  const told = (say: Told<never>) => (typeof say === 'string' ? say : say(failure as never));
  const main = html`
    <section class="notice">
      <h1>${title}</h1>
      <p>${told(text)}</p>
      ${hint && html`<p class="quiet">${told(hint)}</p>`}
      ${way && html`<p><a class="button" href=${way[0]}>${way[1]}</a></p>`}
    </section>
  `;
  return { status, body: page(site, { title, main }), headers: headersOf(failure) };
}

function headersOf(failure: WebFailure): Readonly<Record<string, string>> {
  if (failure.kind === 'client_no_answer') return clientProblem(failure.reason);
  return failure.kind === 'unavailable' ? { 'Retry-After': '1' } : {};
}
