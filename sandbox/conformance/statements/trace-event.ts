/** The facts that trace rules need from an exchange. They are a few values without the bodies, so that 100,000 exchanges fit in memory. */
import type { Exchange } from '../exchange.ts';

export interface TraceEvent {
  /** Number of the exchange in the recording, starting at 1. */
  readonly number: number;
  readonly operation: string;
  readonly server: Exchange['server'];
  /** The beginning of the exchange's address. It is the same everywhere in a capture with one sandbox and one client server. */
  readonly base: string;
  readonly method: string;
  readonly url: string;
  readonly trace: string | null;
  readonly status: number | undefined;
  readonly succeeded: boolean;
  /** Start and end of the exchange in milliseconds of the recorder's clock, or `undefined` if not recorded. */
  readonly span: Exchange['span'];
  /** Digest of the token in `Authorization`, or of the token in a portal entry. */
  readonly token: string | undefined;
  /** Whether that token has the form of a JWT. */
  readonly hasJwt: boolean;
  /** The customer that the call is about. */
  readonly uid: string | undefined;
  /** The sides at fault for an error in this exchange alone. Such an exchange is not evidence against the other side. */
  readonly faulty: FaultySides;
  /** The open points that this exchange alone relied on, each with whether it violated the assumption. */
  readonly openPoints: ReadonlyMap<string, boolean>;
  readonly facts: Facts;
}

export type FaultySides = { readonly caller: boolean; readonly host: boolean };

/** One order line, as returned with an order or its status. */
export interface OrderLine {
  readonly redeemCode: string | undefined;
  readonly sku: string | undefined;
  readonly quantity: number | undefined;
  readonly status: string | undefined;
  readonly total: number | undefined;
}

export interface Voucher {
  /** Digest of the voucher code. */
  readonly code: string | undefined;
  readonly redeemCode: string | undefined;
  readonly productCode: string | undefined;
  readonly projectCode: string | undefined;
  /** Digest of the whole record except its remark. */
  readonly record: string;
}

/** The values that rules read, by meaning. A value is `undefined` if the exchange does not contain or reveal it. */
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
  /** Digest of the request body. */
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
  /** Digest of the address that is registered for webhooks. */
  readonly webhook?: string | undefined;
}

/** Maximum number of values in a table. */
const mostInterned = 200_000;

/** Interns strings and vouchers that many exchanges repeat. A full table is cleared. */
export class Interned {
  readonly #texts = new Map<string, string>();
  readonly #vouchers = new Map<string, Voucher>();
  readonly #openPoints = new Map<string, TraceEvent['openPoints']>();

  text(value: string): string {
    return this.#share(this.#texts, value, value);
  }

  openPoints(made: TraceEvent['openPoints']): TraceEvent['openPoints'] {
    return this.#share(this.#openPoints, JSON.stringify([...made]), made);
  }

  voucher(made: Voucher): Voucher {
    return this.#share(this.#vouchers, made.record, made);
  }

  /** Returns the value stored under this key, or stores this one. A full map is cleared first. */
  #share<T>(values: Map<string, T>, key: string, made: T): T {
    const shared = values.get(key);
    if (shared !== undefined) return shared;
    if (values.size >= mostInterned) values.clear();
    values.set(key, made);
    return made;
  }
}
