import type { KeyObject } from 'node:crypto';
import type { Activity } from '../activity-log/activity.ts';
import type { IdempotencyStore } from '../contract/api.ts';
import type { VendorAnswer } from '../domain/order-line.ts';
import type { Outgoing } from '../http-client/outgoing.ts';
import type { DueRunner } from '../jobs/due.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DrawKept, SeededRandom } from '../runtime/ids.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Spans } from '../runtime/spans.ts';
import type { Tokens } from '../runtime/tokens.ts';
import type { Store } from '../store/store.ts';
import type { ClientGateway } from './client-gateway.ts';
import type { PlatformCollections, VoucherForm } from './collections.ts';
import type { QuotaWindow } from './quota.ts';

/** Who signs the platform's own tokens. */
export const platformIssuer = 'rewards-platform';

/** A request to a vendor. */
interface VendorRequest {
  readonly redeemCode: string;
  readonly sku_code: string;
  readonly product_type: 'EGV' | 'PHYSICAL';
  readonly quantity: number;
  readonly trace: string;
  readonly form?: VoucherForm;
}

/** The vendors, as the platform knows them. Asking again for the same redeemCode gives the same answer. */
interface VendorService {
  /** Milliseconds until the vendor will answer for this item. */
  delay(sku: string): number;
  fulfil(request: VendorRequest): Promise<VendorAnswer>;
  /** Cancels a redemption at the vendor. Returns whether it could still be cancelled. */
  cancel(
    unwanted: Pick<VendorRequest, 'redeemCode' | 'sku_code' | 'trace'> & { readonly remark: string },
  ): Promise<boolean>;
}

/** Everything the platform's handlers and workers work with. */
export interface Platform {
  readonly store: Store<PlatformCollections>;
  readonly clock: Clock;
  /** The machine's time, for times that other parties check against their own clocks (OP-26, OP-131). */
  readonly realTime: () => number;
  readonly random: SeededRandom;
  readonly spans: Spans;
  readonly activity: Activity;
  readonly quota: QuotaWindow;
  /** Replies that are stored for repeats of their calls (OP-20). */
  readonly replies: IdempotencyStore;
  readonly client: ClientGateway;
  readonly vendors: VendorService;
  readonly outgoing: Outgoing;
  /** What is wrong with an address that is to be called later (OP-26, OP-60). */
  readonly addressProblem: (url: string) => string | undefined;
  readonly companyTokens: Tokens;
  readonly customerTokens: Tokens;
  /** Of the general API. */
  readonly generalTokens: Tokens;
  /** The key that cursors are authenticated with. */
  readonly cursorKey: KeyObject;
  readonly companySecret: string;
  /** What every user of the general API logs in with (OP-53). */
  readonly generalPassword: string;
  readonly projectCode: string;
  readonly settings: () => Settings;
  /** Draws a code that the client keeps: from the seed for the reference client, a unique one for a partner's server (OP-245). */
  readonly drawKept: DrawKept;
  /** Address of the partner's own server; undefined while the reference client plays the client. */
  readonly partnerUrl: () => string | undefined;
  /** Set once the runner exists; it needs the workers, which need the platform. */
  readonly runner: () => DueRunner;
}
