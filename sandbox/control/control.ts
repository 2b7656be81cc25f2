import type { Readable } from 'node:stream';
import type { components, operations } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { OwnerOf } from '../activity-log/activity-entry.ts';
import type { Feed } from '../activity-log/feed.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { FlatFailure, flatTable } from '../contract/failure-tables.ts';
import type { Call, Patience, ReplyOrFailure } from '../contract/types.ts';
import type { Account, BalanceVerdict } from '../domain/balance.ts';
import type { InvalidRequest } from '../domain/failures.ts';
import type { ClientPosition, Outstanding, PlatformPosition } from '../domain/reconciliation.ts';
import type { DueRunner } from '../jobs/due.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Faults } from '../runtime/faults.ts';
import type { Waiting, WatchedQuery } from '../runtime/waiting.ts';
import type { Store } from '../store/store.ts';
import { yieldToEventLoop } from '../store/view.ts';

type Schemas = components['schemas'];

/** A snapshot whose files are not as they were written (OP-64). */
type Damaged = Extract<FlatFailure, { readonly kind: 'snapshot_damaged' }>;

export type LimitReached = Extract<FlatFailure, { readonly kind: 'limit_reached' }>;

/** A wish that cannot be, for reasons that its schema does not see. */
type Refused = { readonly kind: 'invalid_request' } & InvalidRequest;

/**
 * What the control API may do with the parties, by resource. Each module gives its own part of this; the control API
 * imports none of them.
 */
export interface Control {
  readonly version: string;
  /** What the callers of the control API identify themselves with. */
  readonly adminToken: string;
  readonly store: Store<ActivityCollections>;
  /** The log; what was seen before is in it once the store is flushed. */
  readonly activity: Pick<Activity, 'after'>;
  readonly waiting: Waiting;
  workspace(): Schemas['Workspace'];
  /** What platform and client host (OP-69). */
  hosted(): Schemas['HostedOperation'][];
  /** Whether the client can be called, asked about one of its customers. */
  checkConnection(uid: string): Promise<Schemas['ConnectionCheck'][]>;
  changeSettings(change: Schemas['SettingsChange'], trace: string): Promise<Refused | undefined>;
  /** The program that makes the platform's calls to a server on a laptop (OP-247). */
  readonly listener: {
    /** Opens the stream of a new one, which replaces the one before. */
    open(forwardTo: string, trace: string): Promise<Readable>;
    /** Returns whether something waits for the reply. */
    reply(listener: string, reply: Schemas['ListenerReply']): boolean;
  };
  /** Back to the seed: data, clock and randomness. */
  reset(): Promise<void>;
  /** This workspace among the others (OP-63). */
  readonly workspaces: {
    create(input: Schemas['WorkspaceInput']): Promise<Schemas['Workspace'] | Refused | LimitReached>;
    /** A new one from a snapshot of this; `not_found` if there is no such snapshot. */
    fork(
      snapshot: string,
    ): Promise<Schemas['Workspace'] | { readonly kind: 'not_found'; readonly what: string } | Damaged | LimitReached>;
    /** Those that the caller may see: all for a caller of the demo workspace (OP-54). */
    list(ask: WorkspacesAsk): Promise<Schemas['WorkspaceSummary'][]>;
    /** Looks at one of them; undefined if there is none with this id that the caller may see. */
    within<T>(id: string, look: (control: Control) => Promise<T>): Promise<T | undefined>;
    /** Undefined if there is none with this id that the caller may change. */
    change(id: string, change: Schemas['ListedWorkspaceChange']): Promise<Schemas['WorkspaceSummary'] | undefined>;
    /** Returns whether there is one with this id that the caller may delete. */
    remove(id: string): Promise<boolean>;
  };
  readonly customers: {
    list(after: string | undefined, limit: number): Schemas['Customer'][];
    create(uid: string, input: CustomerInput, trace: string): Promise<Schemas['Customer'] | undefined>;
    change(uid: string, input: CustomerInput, trace: string): Promise<Schemas['Customer'] | Refused | undefined>;
    /** Entries with a higher number. */
    ledger(uid: string, after: number, limit: number): NumberedLedger | undefined;
    bookings(uid: string, redeemCode: string): Booking[];
    messages(filter: MessageFilter, limit: number): WatchedQuery<Schemas['Message']>;
  };
  readonly stock: {
    list(after: number | undefined, limit: number): Schemas['StockItem'][];
    has(sku: string): boolean;
    create(input: Schemas['ItemInput'], trace: string): Promise<Schemas['StockItem'] | Refused | undefined>;
    change(
      sku: string,
      change: Schemas['ItemChange'],
      trace: string,
    ): Promise<Schemas['StockItem'] | Refused | undefined>;
    /** Returns whether it was there. */
    remove(sku: string, trace: string): Promise<boolean>;
  };
  readonly outcomes: {
    get(sku: string): Schemas['VendorOutcome'];
    /** Those that were set (OP-76). */
    list(after: string | undefined, limit: number): Schemas['VendorOutcome'][];
    set(sku: string, input: Schemas['VendorOutcomeInput'], trace: string): Promise<void>;
    /** For one redemption, whatever is set for its item. */
    decide(redeemCode: string, sku: string, input: Schemas['VendorOutcomeInput'], trace: string): Promise<void>;
    delete(sku: string, trace: string): Promise<void>;
  };
  readonly faults: Pick<Faults, 'list' | 'create' | 'delete' | 'deleteAll'>;
  readonly triggers: {
    payment(input: Schemas['PaymentTrigger'], trace: string): Promise<Schemas['PaymentCaused']>;
    statusUpdate(
      input: Schemas['StatusUpdateTrigger'],
      trace: string,
    ): Promise<Schemas['StatusUpdateCaused'] | undefined>;
    timeout(
      redeemCode: string,
      onTimeout: Schemas['OnTimeout'] | undefined,
      trace: string,
    ): Promise<Schemas['TimeoutCaused']['state'] | undefined>;
    /** Cancels a redemption or an order, in the company's name; undefined for an unknown one. */
    cancellation(
      input: Schemas['CancellationTrigger'],
      trace: string,
    ): Promise<Schemas['CancellationCaused'] | Refused | undefined>;
    /** A redemption that a vendor can still fulfil; undefined for an unknown one. */
    pendingLine(redeemCode: string): { readonly sku_code: string } | Refused | undefined;
    fulfilNow(redeemCode: string, trace: string): Promise<void>;
    webhookIds(): string[];
    /** Sends a test message; undefined if there is no such webhook. */
    webhookTest(input: Schemas['WebhookTestTrigger'], trace: string): Promise<Schemas['WebhookTestCaused'] | undefined>;
  };
  readonly feed: Feed;
  /** The customer of a redeem code, by the ledger of either side (OP-136). */
  readonly ownerOf: OwnerOf;
  /** What the activity log has against the contracts (OP-66). */
  readonly findings: {
    list(ask: FindingsAsk, patience: Patience): Promise<Schemas['FindingList']>;
    /** The open points, with the calls that rely on them (OP-250). */
    openPoints(ask: OpenPointsAsk): Schemas['OpenPointList'];
  };
  /** What the other side has answered to open points (OP-251). */
  readonly answers: {
    get(): Schemas['Answers'];
    /** Replaces all of them. Returns what is wrong with them, if anything. */
    replace(answers: Schemas['Answers'], trace: string): Promise<Refused | undefined>;
  };
  /** Orders that stand (OP-84). */
  readonly orders: {
    list(filter: OrderFilter & { readonly limit: number }): WatchedQuery<Schemas['PlacedOrder']>;
    get(order_id: string): Schemas['PlacedOrder'] | undefined;
    /** One order once it has ended. */
    ended(order_id: string): WatchedQuery<Schemas['PlacedOrder']>;
  };
  /** Both sides' ledgers, side by side. No transaction spans the two. */
  readonly ledgers: {
    /** How either has a redemption; undefined if it does not. */
    platform(redeemCode: string): PlatformPosition | undefined;
    client(redeemCode: string): ClientPosition | undefined;
    /** All redemptions of both at one instant, read a slice at a time. */
    positions(): Promise<{
      readonly platform: readonly PlatformPosition[];
      readonly client: readonly ClientPosition[];
    }>;
    /** Balances that a partner's own server returned; undefined while the reference client plays the client. */
    balances(ask: BalancesAsk): Promise<JudgedBalances | undefined>;
  };
  /** What the platform has still to deliver, and what it gave up on (OP-24). */
  readonly deliveries: {
    list(after: string | undefined, limit: number): Schemas['Delivery'][];
    replay(id: string, trace: string): Promise<Schemas['Delivery'] | undefined>;
    replayParked(trace: string): Promise<Schemas['Delivery'][]>;
  };
  /** Deliveries to registered addresses, and their results (OP-85). */
  readonly webhookLog: {
    knows(webhook_id: string): boolean;
    list(webhook_id: string, after: number | undefined, limit: number): WatchedQuery<Schemas['WebhookTry']>;
  };
  readonly clock: Clock;
  readonly runner: DueRunner;
  /** Whether a partner's server is right (OP-204). */
  readonly certifications: {
    start(
      request: Schemas['CertificationInput'],
    ): Promise<Schemas['CertificationSummary'] | Refused | LimitReached | { readonly kind: 'unavailable' }>;
    /** Newest first. */
    list(): Schemas['CertificationSummary'][];
    get(id: string): Schemas['Certification'] | undefined;
    /** Ends it in order if it runs. Returns whether it was there. */
    remove(id: string): Promise<boolean>;
  };
  /** How far partners are, and what they hand in (OP-261). */
  readonly partners: {
    /** Those that the caller may see, as `workspaces.list`. */
    list(ask: WorkspacesAsk & { readonly days: number }): Promise<Schemas['Partner'][]>;
    /** Verifies a certificate, and keeps it. */
    handIn(certificate: string, trace: string): Promise<Schemas['CertificateSummary'] | Refused>;
    /** Those that were handed in, newest first. */
    certificates(): Promise<Schemas['CertificateSummary'][]>;
    /** Undefined for a caller who may not see them. */
    trustedKeys(): Schemas['TrustedKey'][] | undefined;
    /** Replaces all of them. */
    trust(keys: Schemas['TrustedKey'][], trace: string): Promise<Refused | { readonly kind: 'not_found' } | undefined>;
  };
  /** Answers agents over the Model Context Protocol (OP-221). */
  readonly agents: {
    answer(post: McpPost): Promise<{ readonly status: number; readonly body?: unknown }>;
  };
  readonly snapshots: {
    list(): readonly Schemas['Snapshot'][];
    take(name: string | undefined, trace: string): Promise<Schemas['Snapshot'] | undefined>;
    restore(id: string): Promise<Schemas['Snapshot'] | Damaged | undefined>;
    remove(id: string, trace: string): Promise<boolean>;
    readonly most: number;
  };
}

/** A message of an agent, and how it came. */
interface McpPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Schemas['McpMessage'];
  /** Whether to offer the tools that make changes or show credentials. */
  readonly write: boolean;
  /** Aborts when the agent leaves. */
  readonly signal: AbortSignal;
}

/** The findings to list; an omitted field matches all. */
type FindingsAsk = Omit<NonNullable<operations['listFindings']['parameters']['query']>, 'wait'>;

/** The open points to list; an omitted field matches all. */
type OpenPointsAsk = NonNullable<operations['listOpenPoints']['parameters']['query']>;

/** Customers behind one, and whether their balances are read first. */
interface BalancesAsk {
  readonly after: string;
  readonly limit: number;
  readonly read: boolean;
  readonly trace: string;
}

/** A balance that differs, or cannot be verified. */
export interface JudgedBalance {
  readonly account: Account & { readonly uid: string };
  readonly verdict: BalanceVerdict;
  readonly outstanding: Outstanding;
}

/** One part of them, and after whom the next one begins. */
interface JudgedBalances {
  readonly found: readonly JudgedBalance[];
  readonly next: string | null;
}

/** A part of a customer's ledger. */
interface NumberedLedger {
  readonly items: readonly (Schemas['LedgerEntry'] & { readonly number: number })[];
  readonly balance: number;
}

/** An entry of the client's ledger, with the number of the state change that it was booked with. */
export interface Booking {
  readonly seq: number;
  readonly entry: Schemas['LedgerEntry'];
}

/** The orders to list; an omitted field matches all. */
export type OrderFilter = Omit<NonNullable<operations['listPlacedOrders']['parameters']['query']>, 'wait'>;

/** The workspaces to list, oldest first: those after the place `after` that contain `search`. */
export interface WorkspacesAsk {
  readonly after: string | undefined;
  readonly search: string | undefined;
  readonly limit: number;
}

/** The messages to list; an omitted field matches all (OP-167). */
type MessageFilter = Omit<NonNullable<operations['listMessages']['parameters']['query']>, 'limit' | 'wait'>;

export interface CustomerInput {
  readonly profile?: Schemas['ProfileInput'];
  readonly balance?: number;
}

/** What a handler of the control API is given, and what it may answer. */
export type ControlCall<Id extends keyof operations> = Call<operations[Id], ControlCaller>;
export type ControlReply<Id extends keyof operations> = ReplyOrFailure<operations[Id], FlatFailure, typeof flatTable>;

/** The caller of the control API: the holder of the workspace's admin token, or a user of this machine. */
export type ControlCaller = { readonly kind: 'admin' | 'local' | 'anyone' };

/** Headers of replies that show tokens and secrets: no cache may store them. */
export const noStore = { 'Cache-Control': 'no-store' } as const;

/** Most bytes that the items of a page take as JSON (OP-82). */
const mostBytes = 1024 * 1024;
/** Items of a page where the caller asks for no number. */
export const usualLimit = 1_000;
/** The same for orders and tries of webhooks, which are larger. */
export const usualLargeLimit = 100;

/** A part of a list, and what to give as `after` for what follows it. */
interface Page<T, Place> {
  readonly items: T[];
  readonly next: Place | null;
}

/**
 * The next items of a list. Pages of concurrent calls are made one by one, each in a turn of its own, so that unread pages
 * do not exceed the limit of waiting replies (OP-82).
 *
 * @param found one more than `limit` where there are more
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

/** A page of what happened one after the other: the newest, or with `after` the first of what follows. */
export async function pageOfLog<T extends { readonly seq: number }>(
  found: readonly T[],
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<Page<T, number>> {
  if (after !== undefined) return pageAfter(found, limit, ({ seq }) => seq);
  await yieldToEventLoop();
  return { items: within(found.slice(-limit).toReversed()).toReversed(), next: null };
}

/** The first items that fit in a page; at least one. */
function within<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const most = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > mostBytes && index > 0;
  });
  return most === -1 ? [...items] : items.slice(0, most);
}
