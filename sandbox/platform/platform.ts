import type { KeyObject } from 'node:crypto';
import type { Activity } from '../activity-log/activity.ts';
import type { IdempotencyStore } from '../contract/api.ts';
import type { VendorAnswer, VendorCancellation, VendorRequest } from '../domain/order-line.ts';
import type { Outgoing } from '../http-client/outgoing.ts';
import type { DueRunner } from '../jobs/due.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DrawKept, SeededRandom } from '../runtime/ids.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Spans } from '../runtime/spans.ts';
import type { Tokens } from '../runtime/tokens.ts';
import type { Store } from '../store/store.ts';
import type { ClientGateway } from './client-gateway.ts';
import type { PlatformCollections } from './collections.ts';
import type { QuotaWindow } from './quota.ts';

/** The issuer of the platform's own tokens. */
export const platformIssuer = 'rewards-platform';

/** The vendors, as the platform calls them. A repeated request for the same redeemCode returns the same answer. */
interface VendorService {
  /** Returns the milliseconds until the vendor will respond for this item. */
  delay(sku: string): number;
  fulfil(request: VendorRequest): Promise<VendorAnswer>;
  /** Cancels a redemption at the vendor. Returns `false` if it is too late. */
  cancel(unwanted: VendorCancellation): Promise<boolean>;
}

/** The dependencies of the platform's handlers and workers. */
export interface Platform {
  readonly store: Store<PlatformCollections>;
  readonly clock: Clock;
  /** The machine's time, for times that other parties check against their own clocks (OP-26, OP-131). */
  readonly realTime: () => number;
  readonly random: SeededRandom;
  readonly spans: Spans;
  readonly activity: Activity;
  readonly quota: QuotaWindow;
  /** Replies stored for repeated requests (OP-20). */
  readonly replies: IdempotencyStore;
  readonly client: ClientGateway;
  readonly vendors: VendorService;
  readonly outgoing: Outgoing;
  /** Returns the problem with an address to be called later, or `undefined` if it is acceptable (OP-26, OP-60). */
  readonly addressProblem: (url: string) => string | undefined;
  readonly companyTokens: Tokens;
  readonly customerTokens: Tokens;
  /** Tokens of the general API. */
  readonly generalTokens: Tokens;
  /** The key that signs cursors. */
  readonly cursorKey: KeyObject;
  readonly companySecret: string;
  /** The password of every user of the general API (OP-53). */
  readonly generalPassword: string;
  readonly projectCode: string;
  readonly settings: () => Settings;
  /** Draws a code that the client stores: from the seed for the reference client, unique for a partner's server (OP-245). */
  readonly drawKept: DrawKept;
  /** Returns the address of the partner's own server; `undefined` while the reference client is in use. */
  readonly partnerUrl: () => string | undefined;
  /** Returns the runner. It is set later, because the runner needs the workers, which need the platform. */
  readonly runner: () => DueRunner;
}
