/** What trace rules remember of an exchange: a few values, not its bodies, so that 100,000 exchanges fit in memory. */
import type { Exchange } from '../exchange.ts';

export interface TraceEvent {
  /** The number of the exchange in the recording, from 1. */
  readonly number: number;
  readonly operation: string;
  readonly server: Exchange['server'];
  /** What its address begins with; equal wherever a capture has one sandbox and one client server. */
  readonly base: string;
  readonly method: string;
  readonly url: string;
  readonly trace: string | null;
  readonly status: number | undefined;
  readonly succeeded: boolean;
  /** When it began and ended, in milliseconds of the recorder's clock; undefined if the recording does not say. */
  readonly span: Exchange['span'];
  /** Digest of the token in `Authorization`, or of the one that a portal entry carries. */
  readonly token: string | undefined;
  /** Whether that token has the form of a JWT. */
  readonly hasJwt: boolean;
  /** The customer that the call is about. */
  readonly uid: string | undefined;
  /** Which side an error of the exchange by itself is blamed on. What such an exchange says is no evidence against the other. */
  readonly faulty: FaultySides;
  readonly facts: Facts;
}

export type FaultySides = { readonly caller: boolean; readonly host: boolean };

/** One order line, as an order or its status shows it. */
export interface OrderLine {
  readonly redeemCode: string | undefined;
  readonly sku: string | undefined;
  readonly quantity: number | undefined;
  readonly status: string | undefined;
  readonly total: number | undefined;
}

export interface Voucher {
  /** Digest of the voucher's code. */
  readonly code: string | undefined;
  readonly redeemCode: string | undefined;
  readonly productCode: string | undefined;
  readonly projectCode: string | undefined;
  /** Digest of the whole record but its remark. */
  readonly record: string;
}

/** The values that rules read, by what they mean. Each is undefined if the exchange does not have or show it. */
export interface Facts {
  /** Digests of the tokens that a sign-in returned. */
  readonly issued?: readonly string[];
  readonly references?: readonly string[];
  readonly reference?: string | undefined;
  readonly cursor?: string | undefined;
  readonly nextCursor?: string | undefined;
  readonly filter?: string | undefined;
  readonly items?: readonly string[];
  readonly orderId?: string | undefined;
  readonly lines?: readonly OrderLine[];
  readonly skus?: readonly string[];
  readonly idempotencyKey?: string | undefined;
  /** Digest of the request's body. */
  readonly body?: string | undefined;
  readonly redeemCode?: string | undefined;
  readonly reported?: string | undefined;
  readonly project?: string | undefined;
  readonly product?: string | undefined;
  readonly quantity?: number | undefined;
  readonly points?: number | undefined;
  readonly total?: number | undefined;
  readonly balance?: number | undefined;
  readonly transactionId?: string | undefined;
  readonly amount?: string | undefined;
  readonly message?: string | undefined;
  readonly vouchers?: readonly Voucher[];
  readonly messageId?: string | undefined;
  /** Digest of an address that is registered for webhooks. */
  readonly webhook?: string | undefined;
}

/** Interns texts and vouchers that many exchanges repeat. It clears everything when it is full. */
export class Interned {
  readonly #texts = new Map<string, string>();
  readonly #vouchers = new Map<string, Voucher>();
  readonly #most: number;

  constructor(most = 200_000) {
    this.#most = most;
  }

  text(value: string): string {
    const interned = this.#texts.get(value);
    if (interned !== undefined) return interned;
    if (this.#texts.size >= this.#most) this.#texts.clear();
    this.#texts.set(value, value);
    return value;
  }

  voucher(made: Voucher): Voucher {
    const interned = this.#vouchers.get(made.record);
    if (interned !== undefined) return interned;
    if (this.#vouchers.size >= this.#most) this.#vouchers.clear();
    this.#vouchers.set(made.record, made);
    return made;
  }
}
