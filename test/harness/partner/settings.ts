/** Settings of a partner's server. */
import type { MistakeName } from './mistakes.ts';

/** The default project code: the one of the sandbox. */
export const projectCode = 'DEMO01';

/** The customers of the server by uid, its credentials and its limits. */
export interface PartnerSettings {
  readonly serviceToken: string;
  readonly basic: { readonly username: string; readonly password: string };
  readonly projectCode: string;
  /** The opening balance of each customer. */
  readonly balances: Readonly<Record<string, number>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Seconds for which a customer's token holds. */
  readonly tokenSeconds: number;
  /** Whether customers get opaque tokens instead of JWTs. */
  readonly opaqueTokens: boolean;
  /** Codes that a customer is sent in ten minutes without a sign-in. */
  readonly mostOtps: number;
  /** Failures in a row after which a customer is locked for 15 minutes. */
  readonly lockAfter: number;
  /** How late the mistake `slow` answers. */
  readonly slowMs: number;
  /** How long mistakes with a race leave between reading and writing, and others wait for a caller to leave. */
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
