import type { Readable } from 'node:stream';
import type { components, operations } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { OwnerOf } from '../activity-log/activity-entry.ts';
import type { Feed } from '../activity-log/feed.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { FlatFailure, flatTable } from '../contract/failure-tables.ts';
import type { Call, Patience, ReplyOrFailure } from '../contract/types.ts';
import type { Account, BalanceVerdict } from '../domain/balance.ts';
import type { Refused } from '../domain/failures.ts';
import type { ClientPosition, Outstanding, PlatformPosition } from '../domain/reconciliation.ts';
import type { DueRunner } from '../jobs/due.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Faults } from '../runtime/faults.ts';
import type { Waiting, WatchedQuery } from '../runtime/waiting.ts';
import { yieldToEventLoop } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import type { CertificationEvidence } from './checklist.ts';

type Schemas = components['schemas'];

/** The failure for a snapshot whose files are damaged (OP-64). */
type Damaged = Extract<FlatFailure, { readonly kind: 'snapshot_damaged' }>;

export type LimitReached = Extract<FlatFailure, { readonly kind: 'limit_reached' }>;

/** Resolves with a resource; `undefined` if it does not exist. */
type Found<Name extends keyof Schemas, Failure = never> = Promise<Schemas[Name] | Failure | undefined>;

/**
 * The functions of the parties that the control API can use, by resource. Each module supplies its own part, and the
 * control API imports none of them.
 */
export interface Control {
  readonly version: string;
  /** The token that identifies callers of the control API. */
  readonly adminToken: string;
  readonly store: Store<ActivityCollections>;
  /** The activity log. After a flush of the store, it contains all earlier events. */
  readonly activity: Pick<Activity, 'after'>;
  readonly waiting: Waiting;
  workspace(): Schemas['Workspace'];
  /** Returns the operations that the platform and the client host (OP-69). */
  hosted(): Schemas['HostedOperation'][];
  /** Checks whether the client can be called, with a query about one of its customers. */
  checkConnection(uid: string): Promise<Schemas['ConnectionCheck'][]>;
  changeSettings(change: Schemas['SettingsChange'], trace: string): Promise<Refused | undefined>;
  /** The listener: a program that makes the platform's calls to a server on a laptop (OP-247). */
  readonly listener: {
    /** Opens the stream of a new listener, which replaces the previous one. */
    open(forwardTo: string, trace: string): Promise<Readable>;
    /** Returns whether a call awaits the reply. */
    reply(listener: string, reply: Schemas['ListenerReply']): boolean;
  };
  /** Resets data, clock and randomness to the seed. */
  reset(): Promise<void>;
  /** Access to this and other workspaces (OP-63). */
  readonly workspaces: {
    create(input: Schemas['WorkspaceInput']): Promise<Schemas['Workspace'] | Refused | LimitReached>;
    /** Creates a workspace from a snapshot of this one; `not_found` if the snapshot does not exist. */
    fork(
      snapshot: string,
    ): Promise<Schemas['Workspace'] | { readonly kind: 'not_found'; readonly what: string } | Damaged | LimitReached>;
    /** Lists the workspaces that the caller may see; all for a caller of the demo workspace (OP-54). */
    list(ask: WorkspacesAsk): Promise<Schemas['WorkspaceSummary'][]>;
    /** Runs `look` on a workspace; `undefined` if the id does not exist or the caller may not see it. */
    within<T>(id: string, look: (control: Control) => Promise<T>): Promise<T | undefined>;
    /** Changes a workspace; `undefined` if the id does not exist or the caller may not change it. */
    change(id: string, change: Schemas['ListedWorkspaceChange']): Found<'WorkspaceSummary'>;
    /** Deletes a workspace. Returns whether it existed and the caller may delete it. */
    remove(id: string): Promise<boolean>;
  };
  readonly customers: {
    list(after: string | undefined, limit: number): Schemas['Customer'][];
    create(uid: string, input: CustomerInput, trace: string): Promise<Schemas['Customer'] | undefined>;
    change(uid: string, input: CustomerInput, trace: string): Found<'Customer', Refused>;
    /** Returns the entries with a number higher than `after`. */
    ledger(uid: string, after: number, limit: number): NumberedLedger | undefined;
    bookings(uid: string, redeemCode: string): Booking[];
    messages(filter: MessageFilter, limit: number): WatchedQuery<Schemas['Message']>;
  };
  readonly stock: {
    list(after: number | undefined, limit: number): Schemas['StockItem'][];
    has(sku: string): boolean;
    /** Creates an item; `undefined` if its SKU exists. */
    create(input: Schemas['ItemInput'], trace: string): Promise<Schemas['StockItem'] | Refused | undefined>;
    change(sku: string, change: Schemas['ItemChange'], trace: string): Found<'StockItem', Refused>;
    /** Removes an item. Returns whether it existed. */
    remove(sku: string, trace: string): Promise<boolean>;
  };
  readonly outcomes: {
    get(sku: string): Schemas['VendorOutcome'];
    /** Lists the outcomes that were set (OP-76). */
    list(after: string | undefined, limit: number): Schemas['VendorOutcome'][];
    set(sku: string, input: Schemas['VendorOutcomeInput'], trace: string): Promise<void>;
    /** Sets the outcome of a single redemption, regardless of its item's outcome. */
    decide(redeemCode: string, sku: string, input: Schemas['VendorOutcomeInput'], trace: string): Promise<void>;
    delete(sku: string, trace: string): Promise<void>;
  };
  readonly faults: Pick<Faults, 'list' | 'create' | 'delete' | 'deleteAll'>;
  readonly triggers: {
    payment(input: Schemas['PaymentTrigger'], trace: string): Promise<Schemas['PaymentCaused']>;
    statusUpdate(input: Schemas['StatusUpdateTrigger'], trace: string): Found<'StatusUpdateCaused'>;
    timeout(
      redeemCode: string,
      onTimeout: Schemas['OnTimeout'] | undefined,
      trace: string,
    ): Promise<Schemas['TimeoutCaused']['state'] | undefined>;
    /** Cancels a redemption or an order on behalf of the company; `undefined` if it does not exist. */
    cancellation(input: Schemas['CancellationTrigger'], trace: string): Found<'CancellationCaused', Refused>;
    /** Returns a redemption that a vendor can still fulfil; `undefined` if it does not exist. */
    pendingLine(redeemCode: string): { readonly sku_code: string } | Refused | undefined;
    fulfilNow(redeemCode: string, trace: string): Promise<void>;
    webhookIds(): string[];
    /** Sends a test message; `undefined` if the webhook does not exist. */
    webhookTest(input: Schemas['WebhookTestTrigger'], trace: string): Found<'WebhookTestCaused'>;
  };
  readonly feed: Feed;
  /** The customer of a redeem code, by the ledger of either side (OP-136). */
  readonly ownerOf: OwnerOf;
  /** Contract violations in the activity log (OP-66). */
  readonly findings: {
    list(ask: FindingsAsk, patience: Patience): Promise<Schemas['FindingList']>;
    /** Lists the open points, with the calls that rely on them (OP-250). */
    openPoints(ask: OpenPointsAsk): Schemas['OpenPointList'];
  };
  /** The other side's answers to open points (OP-251). */
  readonly answers: {
    get(): Schemas['Answers'];
    /** Replaces all answers. Resolves with a refusal if they are invalid. */
    replace(answers: Schemas['Answers'], trace: string): Promise<Refused | undefined>;
  };
  /** The placed orders (OP-84). */
  readonly orders: {
    list(filter: OrderFilter & { readonly limit: number }): WatchedQuery<Schemas['PlacedOrder']>;
    get(order_id: string): Schemas['PlacedOrder'] | undefined;
    /** Returns a query for an order that matches once the order has ended. */
    ended(order_id: string): WatchedQuery<Schemas['PlacedOrder']>;
  };
  /** The ledgers of both sides. No transaction spans the two. */
  readonly ledgers: {
    /** Returns one side's record of a redemption; `undefined` if it has none. */
    platform(redeemCode: string): PlatformPosition | undefined;
    client(redeemCode: string): ClientPosition | undefined;
    /** Returns all redemptions of both sides at one instant, read slice by slice. */
    positions(): Promise<{
      readonly platform: readonly PlatformPosition[];
      readonly client: readonly ClientPosition[];
    }>;
    /** Returns the balances reported by a partner's own server; `undefined` while the reference client is in use. */
    balances(ask: BalancesAsk): Promise<JudgedBalances | undefined>;
  };
  /** The platform's outstanding and failed deliveries (OP-24). */
  readonly deliveries: {
    list(after: string | undefined, limit: number): Schemas['Delivery'][];
    replay(id: string, trace: string): Found<'Delivery'>;
    replayParked(trace: string): Promise<Schemas['Delivery'][]>;
  };
  /** Webhook deliveries and their results (OP-85). */
  readonly webhookLog: {
    knows(webhook_id: string): boolean;
    list(webhook_id: string, after: number | undefined, limit: number): WatchedQuery<Schemas['WebhookTry']>;
  };
  readonly clock: Clock;
  readonly runner: DueRunner;
  /** Certifications of a partner's server (OP-204). */
  readonly certifications: {
    start(
      request: Schemas['CertificationInput'],
    ): Promise<Schemas['CertificationSummary'] | Refused | LimitReached | { readonly kind: 'unavailable' }>;
    /** Lists the certifications, newest first. */
    list(): Schemas['CertificationSummary'][];
    get(id: string): Schemas['Certification'] | undefined;
    /** Deletes a certification, after an orderly stop if it is running. Returns whether it existed. */
    remove(id: string): Promise<boolean>;
  };
  /** The progress of partners, and their submitted certificates (OP-261). */
  readonly partners: {
    /** Lists the partners that the caller may see, like `workspaces.list`. */
    list(ask: WorkspacesAsk & { readonly days: number }): Promise<Schemas['Partner'][]>;
    /** Verifies a certificate and stores it. */
    submit(certificate: string, trace: string): Promise<Schemas['CertificateSummary'] | Refused>;
    /** Lists the submitted certificates, newest first. */
    certificates(): Promise<Schemas['CertificateSummary'][]>;
    /** Returns the newest unexpired certificate of a server that was submitted here and signed with a known key. */
    evidence(clientUrl: string): Promise<CertificationEvidence | undefined>;
    /** Returns the trusted keys; `undefined` if the caller may not see them. */
    trustedKeys(): Schemas['TrustedKey'][] | undefined;
    /** Replaces all trusted keys. */
    trust(keys: Schemas['TrustedKey'][], trace: string): Promise<Refused | { readonly kind: 'not_found' } | undefined>;
  };
  /** Answers agents over the Model Context Protocol (OP-221). */
  readonly agents: {
    answer(post: McpPost): Promise<{ readonly status: number; readonly body?: unknown }>;
  };
  readonly snapshots: {
    list(): readonly Schemas['Snapshot'][];
    take(name: string | undefined, trace: string): Promise<Schemas['Snapshot'] | undefined>;
    restore(id: string): Found<'Snapshot', Damaged>;
    remove(id: string, trace: string): Promise<boolean>;
    readonly most: number;
  };
}

/** A message from an agent, and how it was received. */
interface McpPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Schemas['McpMessage'];
  /** Whether to offer the tools that make changes or show credentials. */
  readonly write: boolean;
  /** Aborts when the agent disconnects. */
  readonly signal: AbortSignal;
}

/** The filter for findings. An omitted field matches all. */
type FindingsAsk = Omit<NonNullable<operations['listFindings']['parameters']['query']>, 'wait'>;

/** The filter for open points. An omitted field matches all. */
type OpenPointsAsk = NonNullable<operations['listOpenPoints']['parameters']['query']>;

/** A page of customers after one customer, and whether to read their balances first. */
export interface BalancesAsk {
  readonly after: string;
  readonly limit: number;
  readonly read: boolean;
  readonly trace: string;
}

/** A balance that differs or cannot be verified. */
export interface JudgedBalance {
  readonly account: Account & { readonly uid: string };
  readonly verdict: BalanceVerdict;
  readonly outstanding: Outstanding;
}

/** A page of balances, and the customer after whom the next page begins. */
interface JudgedBalances {
  readonly found: readonly JudgedBalance[];
  readonly next: string | null;
}

/** A part of a customer's ledger. */
interface NumberedLedger {
  readonly items: readonly (Schemas['LedgerEntry'] & { readonly number: number })[];
  readonly balance: number;
}

/** An entry of the client's ledger, with the number of the state change that booked it. */
export interface Booking {
  readonly seq: number;
  readonly entry: Schemas['LedgerEntry'];
}

/** The filter for orders. An omitted field matches all. */
export type OrderFilter = Omit<NonNullable<operations['listPlacedOrders']['parameters']['query']>, 'wait'>;

/** A page of workspaces, oldest first: those after the position `after` that contain `search`. */
export interface WorkspacesAsk {
  readonly after: string | undefined;
  readonly search: string | undefined;
  readonly limit: number;
}

/** The filter for messages. An omitted field matches all (OP-167). */
type MessageFilter = Omit<NonNullable<operations['listMessages']['parameters']['query']>, 'limit' | 'wait'>;

export interface CustomerInput {
  readonly profile?: Schemas['ProfileInput'];
  readonly balance?: number;
}

/** The call that a handler of the control API receives. */
export type ControlCall<Id extends keyof operations> = Call<operations[Id], ControlCaller>;
export type ControlReply<Id extends keyof operations> = ReplyOrFailure<operations[Id], FlatFailure, typeof flatTable>;

/** The caller of the control API: the holder of the workspace's admin token, or a user of this machine. */
export type ControlCaller = { readonly kind: 'admin' | 'local' | 'anyone' };

/** Headers of replies that contain tokens and secrets, which caches must not store. */
export const noStore = { 'Cache-Control': 'no-store' } as const;

/** Returns the reply with this body; `not_found` if it is undefined. */
export function replyWith<T>(body: T | undefined, what: string) {
  return body === undefined ? ({ kind: 'not_found', what } as const) : ({ status: 200, body } as const);
}

/** Returns the reply to a deletion; `not_found` if nothing was deleted. */
export function deletionReply(wasDeleted: boolean, what: string) {
  return wasDeleted ? ({ status: 204 } as const) : ({ kind: 'not_found', what } as const);
}

/** Maximum size of the items of a page as JSON, in bytes (OP-82). */
const mostBytes = 1024 * 1024;
/** Default number of items of a page. */
export const usualLimit = 1_000;
/** Default number of items of a page for orders and webhook attempts, which are larger. */
export const usualLargeLimit = 100;

/** A page of a list, and the value of `after` for the next page. */
interface Page<T, Place> {
  readonly items: T[];
  readonly next: Place | null;
}

/**
 * Returns the next page of a list. Concurrent calls build their pages in sequence, each in its own event loop turn.
 * Unsent pages therefore do not exceed the limit of waiting replies (OP-82).
 *
 * @param found one item more than `limit` if there are further items
 */
export async function pageAfter<T, Place>(
  found: readonly T[],
  limit: number,
  cursorOf: (item: T) => Place,
): Promise<Page<T, Place>> {
  await yieldToEventLoop();
  const items = within(found.slice(0, limit));
  const last = items.at(-1);
  return { items, next: last === undefined || items.length === found.length ? null : cursorOf(last) };
}

/** Returns a page of a log: the newest items or, with `after`, the first items after that number. */
export async function pageOfLog<T extends { readonly seq: number }>(
  found: readonly T[],
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<Page<T, number>> {
  if (after !== undefined) return pageAfter(found, limit, ({ seq }) => seq);
  await yieldToEventLoop();
  return { items: within(found.slice(-limit).toReversed()).toReversed(), next: null };
}

/** Returns the first items that fit in a page, at least one. */
function within<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const most = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > mostBytes && index > 0;
  });
  return most === -1 ? [...items] : items.slice(0, most);
}
