/** A sandbox of this project whose client is the partner's server, as journeys drive it. */

/** Its addresses, and what opens them. Everything else is HTTP. */
export interface Platform {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly adminToken: string;
  readonly companySecret: string;
  readonly projectCode: string;
  close(): Promise<void>;
}

/** Starts one, in memory, on a frozen clock. */
export type StartPlatform = (settings: {
  readonly clientUrl: string;
  readonly clientToken: string | undefined;
  readonly basic: string | undefined;
  readonly seed: string;
}) => Promise<Platform>;
