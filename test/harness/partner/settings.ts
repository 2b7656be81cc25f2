/** Settings of a partner's server. */
import type { MistakeName } from './mistakes.ts';

/** The default project code, the same as in the sandbox. */
export const projectCode = 'DEMO01';

/** The server's customers, credentials and limits. */
export interface PartnerSettings {
  readonly serviceToken: string;
  readonly basic: { readonly username: string; readonly password: string };
  readonly projectCode: string;
  /** The opening balance of each customer, by uid. */
  readonly balances: Readonly<Record<string, number>>;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Lifetime of a customer's token, in seconds. */
  readonly tokenSeconds: number;
  /** Whether customers receive opaque tokens instead of JWTs. */
  readonly opaqueTokens: boolean;
  /** Maximum number of codes sent to a customer in ten minutes without a sign-in. */
  readonly mostOtps: number;
  /** Number of consecutive failures that lock a customer for 15 minutes. */
  readonly lockAfter: number;
  /** Delay of the mistake `slow`, in milliseconds. */
  readonly slowMs: number;
  /**
   * Delay between reading and writing for mistakes with a race, in milliseconds. Other mistakes wait this long for a caller to disconnect.
   */
  readonly raceMs: number;
  readonly mistake: MistakeName | undefined;
}

/** The default settings. */
export const usualSettings: PartnerSettings = {
  serviceToken: 'partner-service-token',
  basic: { username: 'partner', password: 'partner-password' },
  projectCode,
  balances: { CUST0001: 25_000, CUST0002: 25_000, CUST0003: 100 },
  now: () => Date.now(),
  tokenSeconds: 1800,
  opaqueTokens: false,
  mostOtps: 1000,
  lockAfter: 1000,
  slowMs: 20_000,
  raceMs: 60,
  mistake: undefined,
};
