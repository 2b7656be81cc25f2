/** A sandbox of this project that has the partner's server as its client, as journeys drive it. */

/** Its address, and what opens it. Everything else is HTTP. */
export interface Platform {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly adminToken: string;
  close(): Promise<void>;
}

/** Starts one: in memory, on a frozen clock, allowed to call this server. */
export type StartPlatform = (settings: {
  readonly clientUrl: string;
  readonly projectCode: string;
  /** How long it waits for an answer of the server, in milliseconds. */
  readonly timeoutMs: number;
}) => Promise<Platform>;
