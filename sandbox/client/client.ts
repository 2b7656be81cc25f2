import type { Activity } from '../activity-log/activity.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DrawKept, SeededRandom } from '../runtime/ids.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Tokens } from '../runtime/tokens.ts';
import type { Store } from '../store/store.ts';
import type { ClientCollections } from './collections.ts';
import type { PlatformGateway } from './platform-gateway.ts';
import type { WalletReads } from './wallet-reads.ts';

/** The dependencies of the reference client's handlers and workers. */
export interface Client {
  readonly store: Store<ClientCollections>;
  readonly clock: Clock;
  readonly random: SeededRandom;
  /** Draws a code that the client stores: from the seed for the reference client, unique for a partner's server (OP-245). */
  readonly drawKept: DrawKept;
  readonly activity: Activity;
  readonly platform: PlatformGateway;
  readonly walletReads: WalletReads;
  readonly customerTokens: Tokens;
  readonly serviceToken: string;
  /** The token that authenticates senders to the message gateway (OP-164). */
  readonly gatewayToken: string;
  /** The code of the project that all customers belong to. */
  readonly projectCode: string;
  readonly basic: { readonly username: string; readonly password: string };
  readonly settings: () => Settings;
}
