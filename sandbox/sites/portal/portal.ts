import type { components } from '../../../generated/client/types.ts';
import type { operations } from '../../../generated/portal/types.ts';
import type { Call, Handlers, KeepingTx } from '../../contract/types.ts';
import type { Answer } from '../../domain/failures.ts';
import { clientSaysNo } from '../../domain/order.ts';
import type { LinePoints } from '../../domain/points.ts';
import type { Waiting } from '../../runtime/waiting.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Site } from '../site.ts';

/** A customer signed in to the portal. */
export interface Visitor {
  /** The session id. */
  readonly id: string;
  /** Empty if no one is signed in. */
  readonly uid: string;
}

export type Profile = components['schemas']['Profile'];
export type Points = components['schemas']['Points'];

export interface SignedIn {
  readonly kind: 'signed_in';
  readonly profile: Profile;
  readonly points: Points;
}

/** The client's answer about the customer: profile and points, a refused token, or no answer. */
export type VisitorAccount = SignedIn | { readonly kind: 'refused' } | Extract<Answer, { kind: 'no_answer' }>;

export interface Reward {
  readonly sku: string;
  readonly name: string;
  readonly product_type: 'EGV' | 'PHYSICAL';
  readonly priceInr: number;
  /** Maximum quantity of an order; 0 if the reward is unavailable. */
  readonly available: number;
  cost(quantity: number): LinePoints;
}

/**
 * The status of a redemption. After a rejection, the platform reports it to the client (`Reversing`) until the client
 * acknowledges it (`Reversed`) or the retries run out (`Stuck`).
 */
export type State = 'Pending' | 'Redeemed' | 'Reversing' | 'Reversed' | 'Stuck';

export interface PortalRedemption extends Pick<Reward, 'name' | 'product_type'> {
  readonly redeemCode: string;
  readonly quantity: number;
  readonly points: LinePoints;
  readonly remark: string;
  readonly state: State;
  /** When its vouchers expired, as ISO 8601; `null` if they are valid or there are none. */
  readonly expired: string | null;
  /** Whether it was rejected because of a cancellation. */
  readonly cancelled: boolean;
  /** The delivery address of a product; `null` for a voucher, or if it was not recorded. */
  readonly address: string | null;
}

export interface PlacedOrder {
  readonly order_id: string;
  /** ISO 8601, on the sandbox clock. */
  readonly at: string;
  readonly lines: readonly PortalRedemption[];
}

export interface Earning {
  readonly transactionId: string;
  /** INR as decimal text. */
  readonly paymentAmount: string;
  readonly points: number;
  /** Whether the client has credited the points to its balance. */
  readonly credited: boolean;
  /** ISO 8601, on the sandbox clock. */
  readonly at: string;
}

/** An event in a customer's history: an order or a payment. */
export type Happening =
  | { readonly kind: 'redeemed'; readonly order: PlacedOrder }
  | { readonly kind: 'earned'; readonly earning: Earning };

/** A page of the history, newest first. */
export interface HistoryPart {
  readonly happened: readonly Happening[];
  /** The balance after the newest event, from the cursor; `undefined` without a cursor, or if it was not recorded. */
  readonly left: number | undefined;
  /** Returns the cursor of the next page, given the balance at its start; `undefined` if this is the last page. */
  readonly older: ((left: number | undefined) => string) | undefined;
  /** Whether the customer has any order, and any payment. */
  readonly ordered: boolean;
  readonly earned: boolean;
}

type Refusal<K extends WebFailure['kind']> = Extract<WebFailure, { kind: K }>;

/** The reason why an order was not placed. `invalid_request` concerns the delivery address. */
export type NotPlaced =
  | Refusal<'insufficient_balance' | 'product_not_available' | 'refused_by_client' | 'client_no_answer' | 'unavailable'>
  | { readonly kind: 'invalid_request' };

/** The platform's service for the portal pages. The composition root injects it. */
export interface PortalPlatform {
  open(
    uid: string,
    token: string,
    trace: string,
  ): Promise<{ kind: 'opened'; handle: string } | Refusal<'refused_by_client' | 'client_no_answer'>>;
  visitor(handle: string): Promise<Visitor | undefined>;
  readAccount(visitor: Visitor, trace: string): Promise<VisitorAccount>;
  /** Returns the first 10,000 rewards of a type whose name or code contains all words, and the number of matches. */
  rewards(wanted: { readonly type: 'egv' | 'physical' | 'all'; readonly q: string }): {
    readonly rewards: readonly Reward[];
    readonly total: number;
  };
  reward(sku: string): Reward | undefined;
  formKey(visitor: Visitor, sku: string): string;
  place(
    visitor: Visitor,
    wish: Pick<Reward, 'sku'> & { readonly quantity: number; readonly shipping_address?: string },
    keep: (tx: KeepingTx, placed: string | NotPlaced) => void,
    trace: string,
  ): Promise<{ kind: 'placed'; order_id: string } | NotPlaced>;
  order(visitor: Visitor, order_id: string): PlacedOrder | undefined;
  /** Returns the newest page of the history, or the page of a cursor; `undefined` if the cursor is invalid. */
  history(visitor: Visitor, cursor: string | undefined): HistoryPart | undefined;
  /** Cancels the pending lines of an order. Returns the failure if it cancelled none. */
  cancel(visitor: Visitor, order_id: string, trace: string): Promise<Refusal<'not_found' | 'too_late'> | undefined>;
  end(visitor: Visitor, trace: string): Promise<void>;
}

/** The dependencies of the portal's pages. */
export interface Portal {
  readonly site: Site;
  readonly portalOrders: PortalPlatform;
  readonly waiting: Waiting;
  /** The address of the workspace's microsite, where customers sign in. */
  readonly microsite: string;
}

/** The visitor outside any session. */
export const nobody: Visitor = { id: '', uid: '' };

/** One handler per operation of portal.yaml. */
export type PortalHandlers = Handlers<operations, Portal, Visitor, WebFailure, typeof pageTable>;

/** The input and the result of a handler of portal.yaml. */
export type PortalCall<Id extends keyof operations> = Call<operations[Id], Visitor>;
export type PortalReply<Id extends keyof operations> = Awaited<ReturnType<PortalHandlers[Id]>>;

/** Returns the failure for a session whose customer the client refuses, or about whom it does not respond. */
export function lost(visitor: Exclude<VisitorAccount, SignedIn>) {
  if (visitor.kind === 'refused') return { kind: 'session_ended' } as const;
  return clientSaysNo(visitor);
}
