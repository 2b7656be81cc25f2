import type { components } from '../../../generated/client/types.ts';
import type { KeepingTx } from '../../contract/types.ts';
import type { Answer } from '../../domain/failures.ts';
import type { LinePoints } from '../../domain/points.ts';
import type { WebFailure } from '../failures.ts';

/** A customer inside the portal. */
export interface Visitor {
  /** The session's own id. */
  readonly id: string;
  /** Empty if nobody is signed in. */
  readonly uid: string;
}

export type Profile = components['schemas']['Profile'];
export type Points = components['schemas']['Points'];

/** What the client says of the customer: who it is and what is left, that its token no longer holds, or nothing. */
export type VisitorAccount =
  | { readonly kind: 'signed_in'; readonly profile: Profile; readonly points: Points }
  | { readonly kind: 'refused' }
  | Extract<Answer, { kind: 'no_answer' }>;

export interface Reward {
  readonly sku: string;
  readonly name: string;
  readonly product_type: 'EGV' | 'PHYSICAL';
  readonly priceInr: number;
  /** How many can be ordered; 0 if the reward cannot be. */
  readonly available: number;
  cost(quantity: number): LinePoints;
}

/**
 * How a redemption stands. The platform took a rejection to the client until it acknowledged (Reversed) or is given up
 * (Stuck).
 */
export type State = 'Pending' | 'Redeemed' | 'Reversing' | 'Reversed' | 'Stuck';

export interface PortalRedemption {
  readonly redeemCode: string;
  readonly name: string;
  readonly product_type: 'EGV' | 'PHYSICAL';
  readonly quantity: number;
  readonly points: LinePoints;
  readonly remark: string;
  readonly state: State;
  /** When its vouchers ceased to be valid, as ISO 8601; null if they are, or there are none. */
  readonly expired: string | null;
  /** It was rejected because it was cancelled. */
  readonly cancelled: boolean;
  /** Where a product goes, as the order had it; null for a voucher, and if it was not recorded. */
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
  /** Whether the client has credited the points, so that its balance has them. */
  readonly credited: boolean;
  /** ISO 8601, on the sandbox clock. */
  readonly at: string;
}

/** One thing that happened to a customer's points: an order or a payment. */
export type Happening =
  | { readonly kind: 'redeemed'; readonly order: PlacedOrder }
  | { readonly kind: 'earned'; readonly earning: Earning };

/** A part of the history, newest first. */
export interface HistoryPart {
  readonly happened: readonly Happening[];
  /** What was left after the newest of them, as the cursor says; undefined without one, and if it was not recorded. */
  readonly left: number | undefined;
  /** The cursor of the next part, given the balance at its start; undefined if there is none. */
  readonly older: ((left: number | undefined) => string) | undefined;
  /** Whether there is any order, and any payment. */
  readonly ordered: boolean;
  readonly earned: boolean;
}

type Refusal<K extends WebFailure['kind']> = Extract<WebFailure, { kind: K }>;

/** Why an order was not placed. `invalid_request` is about the address of a product. */
export type NotPlaced =
  | Refusal<'insufficient_balance' | 'product_not_available' | 'refused_by_client' | 'client_no_answer' | 'unavailable'>
  | { readonly kind: 'invalid_request' };

export interface PortalOrderRequest {
  readonly sku: string;
  readonly quantity: number;
  readonly shipping_address?: string;
}

/** What the pages of the portal may ask of the platform. The composition root hands it in. */
export interface PortalPlatform {
  open(
    uid: string,
    token: string,
    trace: string,
  ): Promise<{ kind: 'opened'; handle: string } | Refusal<'refused_by_client' | 'client_no_answer'>>;
  visitor(handle: string): Promise<Visitor | undefined>;
  readAccount(visitor: Visitor, trace: string): Promise<VisitorAccount>;
  /** The first 10,000 rewards of a kind whose name or code has all the words, and how many there are. */
  rewards(wanted: { readonly type: 'egv' | 'physical' | 'all'; readonly q: string }): {
    readonly rewards: readonly Reward[];
    readonly total: number;
  };
  reward(sku: string): Reward | undefined;
  formKey(visitor: Visitor, sku: string): string;
  place(
    visitor: Visitor,
    wish: PortalOrderRequest,
    keep: (tx: KeepingTx, placed: string | NotPlaced) => void,
    trace: string,
  ): Promise<{ kind: 'placed'; order_id: string } | NotPlaced>;
  order(visitor: Visitor, order_id: string): PlacedOrder | undefined;
  /** The newest part of the history, or the one that a cursor leads to; undefined if the cursor does not count. */
  history(visitor: Visitor, cursor: string | undefined): HistoryPart | undefined;
  /** Cancels what is pending of an order. Returns why not. */
  cancel(visitor: Visitor, order_id: string, trace: string): Promise<Refusal<'not_found' | 'too_late'> | undefined>;
  end(visitor: Visitor, trace: string): Promise<void>;
}
