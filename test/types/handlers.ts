/**
 * Mistakes in handlers and handler tables that the types must reject (contract first). Nothing here runs, because `npm
 * run typecheck` is the test. If the types accept a mistake, its `@ts-expect-error` becomes an error.
 */
import { Readable } from 'node:stream';
import type { operations as ClientOperations } from '../../generated/client/types.ts';
import type { operations as RewardsOperations } from '../../generated/rewards/types.ts';
import type { ClientCall, ClientCaller, ClientReply } from '../../sandbox/client/access.ts';
import { clientHandlers } from '../../sandbox/client/apis.ts';
import type { Client } from '../../sandbox/client/client.ts';
import type { Api, Watch } from '../../sandbox/contract/api.ts';
import { bind } from '../../sandbox/contract/binder.ts';
import type { clientTable, FlatFailure, flatTable, WrappedFailure } from '../../sandbox/contract/failure-tables.ts';
import type { Handlers } from '../../sandbox/contract/types.ts';
import type { ControlReply } from '../../sandbox/control/control.ts';
import type { PlatformCaller, RewardsCall, RewardsReply } from '../../sandbox/platform/access.ts';
import type { Platform } from '../../sandbox/platform/platform.ts';

type ClientTable = Handlers<ClientOperations, Client, ClientCaller, WrappedFailure, typeof clientTable>;
type RewardsTable = Handlers<
  Omit<RewardsOperations, 'catalogueUpdated'>,
  Platform,
  PlatformCaller,
  FlatFailure,
  typeof flatTable
>;

const { creditPoints, getProfileAndPoints, saveRedeemDetails, updateRedeemStatus } = clientHandlers;

export const exact = {
  getProfileAndPoints,
  creditPoints,
  saveRedeemDetails,
  updateRedeemStatus,
} satisfies ClientTable;

// @ts-expect-error a missing handler: updateRedeemStatus
export const missing = { getProfileAndPoints, creditPoints, saveRedeemDetails } satisfies ClientTable;

export const surplus = {
  getProfileAndPoints,
  creditPoints,
  saveRedeemDetails,
  updateRedeemStatus,
  // @ts-expect-error a surplus handler: the contract has no such operation
  redeemPoints: creditPoints,
} satisfies ClientTable;

export const swapped = {
  getProfileAndPoints,
  saveRedeemDetails,
  updateRedeemStatus,
  // @ts-expect-error the handler of another operation
  creditPoints: getProfileAndPoints,
} satisfies ClientTable;

export const ofAnotherParty = {
  getProfileAndPoints,
  saveRedeemDetails,
  updateRedeemStatus,
  // @ts-expect-error the client's handlers receive the client, not the platform
  creditPoints: async (
    _platform: Platform,
    _call: ClientCall<'creditPoints'>,
  ): Promise<ClientReply<'creditPoints'>> => ({
    kind: 'unavailable',
  }),
} satisfies ClientTable;

export const withoutParty = {
  getProfileAndPoints,
  saveRedeemDetails,
  updateRedeemStatus,
  // @ts-expect-error the party comes before the call
  creditPoints: async (_call: ClientCall<'creditPoints'>): Promise<ClientReply<'creditPoints'>> => ({
    kind: 'unavailable',
  }),
} satisfies ClientTable;

interface Parties {
  readonly client: Client;
  readonly platform: Platform;
}
type ClientApi = Api<ClientOperations, Parties, Client, ClientCaller, WrappedFailure, typeof clientTable>;

/** Binds the client's API to its own party, to another one and to none. */
export function bindings(api: Omit<ClientApi, 'party'>, watch: Watch): void {
  bind({ ...api, party: ({ client }: Parties) => client }, watch);
  // @ts-expect-error the platform does not host the client's operations
  bind({ ...api, party: ({ platform }: Parties) => platform }, watch);
  // @ts-expect-error an API names its party
  bind({ ...api }, watch);
}

type Registered = RewardsReply<'registerWebhook'>;
type Paid = RewardsReply<'sendPaymentEvent'>;

/** Replies of handlers, most of them wrong. */
export const replies = [
  // @ts-expect-error an undocumented status: creditPoints has no 201
  { status: 201, body: { success: true, status: 200 } } satisfies ClientReply<'creditPoints'>,
  // @ts-expect-error a documented error status is not a reply: errors are failures
  { status: 422, body: { success: true, status: 200 } } satisfies ClientReply<'creditPoints'>,
  // @ts-expect-error the status of another operation: registerWebhook answers 201
  { status: 200, body: {} as Extract<Registered, { status: 201 }>['body'] } satisfies Registered,
  // @ts-expect-error the body says 200 under a reply of 202
  { status: 202, body: { success: true, status: 200, transactionId: 'T1', points: 1 } } satisfies Paid,
  // @ts-expect-error the body of creditPoints
  { status: 200, body: { success: true, status: 200 } } satisfies ClientReply<'getProfileAndPoints'>,
  // @ts-expect-error 204 has no body
  { status: 204, body: {} } satisfies RewardsReply<'deleteWebhook'>,
  // @ts-expect-error the contract has a stream of events, no body
  { status: 200, body: 'id: 1' } satisfies ControlReply<'streamActivity'>,
  // @ts-expect-error the contract has a body, no stream of events
  { status: 200, stream: new Readable() } satisfies ControlReply<'listActivity'>,
  // @ts-expect-error 200 has a body
  { status: 200 } satisfies ClientReply<'creditPoints'>,
  // @ts-expect-error an extra property in a reply
  { status: 200, body: { success: true, status: 200, balance: 5 } } satisfies ClientReply<'creditPoints'>,
  // @ts-expect-error a reply without has_more
  { status: 200, body: { items: [], next_cursor: null } } satisfies RewardsReply<'listRewards'>,
  // @ts-expect-error listRewards documents no 422, so a balance cannot be insufficient there
  { kind: 'insufficient_balance', needed: 2, available: 1 } satisfies RewardsReply<'listRewards'>,
  // @ts-expect-error no operation of the client API answers 404
  { kind: 'not_found' } satisfies ClientReply<'getProfileAndPoints'>,
  // @ts-expect-error no such failure
  { kind: 'out_of_luck' } satisfies ClientReply<'creditPoints'>,
  // @ts-expect-error this failure has needed and available
  { kind: 'insufficient_balance', needed: 2 } satisfies RewardsReply<'createRedemptionOrder'>,
  { kind: 'insufficient_balance', needed: 2, available: 1 } satisfies RewardsReply<'createRedemptionOrder'>,
];

export async function wrongEnum(): Promise<RewardsReply<'createRedemptionOrder'>> {
  const order = {} as Extract<RewardsReply<'createRedemptionOrder'>, { status: 200 }>['body'];
  // @ts-expect-error an order is Pending, Delivered or Rejected
  return { status: 200, body: { ...order, status: 'Shipped' } };
}

export async function numberForText(): Promise<RewardsReply<'listRewards'>> {
  const egv = {} as {
    id: 1;
    product_type: 'EGV';
    sku_code: 'A';
    status: 1;
    skus: 'A';
    qty_trigger_limit: '1';
    qty: '1';
  };
  // @ts-expect-error denomination_value is numeric text
  return { status: 200, body: { items: [{ ...egv, denomination_value: 500 }], next_cursor: null, has_more: false } };
}

export async function extraDeep(): Promise<ClientReply<'getProfileAndPoints'>> {
  const { profile } = {} as Extract<ClientReply<'getProfileAndPoints'>, { status: 200 }>['body'];
  // @ts-expect-error an extra property deep in a reply
  return { status: 200, body: { profile, points: { totalEarned: 1, balance: 1, totalRedeemed: 0, expiring: 0 } } };
}

export function calls(credit: ClientCall<'creditPoints'>, list: RewardsCall<'listRewards'>): unknown[] {
  return [
    credit.body.points.length,
    list.query.limit?.toFixed(),
    // @ts-expect-error points is text
    credit.body.points.toFixed(),
    // @ts-expect-error creditPoints takes no such field
    credit.body.balance,
    // @ts-expect-error creditPoints has no query
    credit.query.uid,
    // @ts-expect-error limit is a number
    list.query.limit?.length,
    // @ts-expect-error a list of types is not the stated filter
    list.query.type === 'voucher',
    // @ts-expect-error listRewards has no body
    list.body.items,
    // @ts-expect-error the client's caller is never a company
    credit.caller.kind === 'company',
  ];
}

export const rewardsTable = (table: RewardsTable) => table.listRewards;
