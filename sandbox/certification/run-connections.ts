/** The connections of a run: to the server, to its webhook address and to the platform of the journeys. */
import type { HeaderList } from '../conformance/exchange.ts';
import type { Delay } from '../runtime/clock.ts';
import { type Answer, callTo } from './answer.ts';
import { Secrets } from './failure.ts';
import { Operations } from './operations.ts';
import { Partner, type PartnerOptions } from './partner.ts';
import { Sessions } from './sessions.ts';
import type { Input, ReadCode } from './verdict.ts';

/**
 * A sandbox whose client is the partner's server. Journeys control it over HTTP with its address and admin token.
 */
export interface Platform {
  /** The origin, such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly adminToken: string;
  close(): Promise<void>;
}

/**
 * A function that starts an in-memory platform with a frozen clock, which may call this server. The platform waits
 * `timeoutMs` milliseconds for the server's answer.
 */
export type StartPlatform = (
  settings: Pick<PartnerOptions, 'clientUrl' | 'timeoutMs'> & { readonly projectCode: string },
) => Promise<Platform>;

/** The input and dependencies of a run's connections. */
export interface ConnectionParts extends Omit<PartnerOptions, 'clientUrl' | 'timeoutMs'> {
  readonly input: Input;
  readonly readCode: ReadCode;
  readonly startPlatform: StartPlatform;
  readonly delay: Delay;
  /** The prefix of this run's codes and transaction ids. It must be unique. */
  readonly unique: string;
  /** Stops the run, which reports its results so far and restores the balances. */
  readonly signal: AbortSignal;
}

/** The connections of a run, and the state that its probes share. */
export class RunConnections {
  readonly partner: Partner;
  readonly operations: Operations;
  readonly sessions: Sessions;
  /** The secrets that reports mask. */
  readonly secrets = new Secrets();
  /** The options of the run. `api` is updated after the server's versions are detected. */
  input: Input;
  projectCode = '';
  /** Codes of version 1.0 redemptions that may be pending. They are reversed afterwards. */
  readonly open = new Set<string>();
  /** Points of version 2.0 order lines that may be pending, by redemption code. */
  readonly lines = new Map<string, number>();
  readonly parts: ConnectionParts;
  #webhook: Partner | undefined;
  #platform: Promise<Platform> | undefined;

  constructor(parts: ConnectionParts) {
    this.parts = parts;
    this.input = parts.input;
    ({ partner: this.partner, operations: this.operations } = this.another());
    this.sessions = new Sessions(this.operations, parts.readCode, parts.now, parts.input.customers[0]);
    const { service_token, basic, expired_token, otp, sandbox, webhook } = parts.input;
    this.secrets.add(service_token, 'SERVICE_TOKEN');
    this.secrets.add(basic && Buffer.from(basic).toString('base64'), 'BASIC_CREDENTIALS');
    this.secrets.add(basic?.slice(basic.indexOf(':') + 1), 'BASIC_PASSWORD');
    this.secrets.add(expired_token, 'EXPIRED_TOKEN');
    this.secrets.add(otp?.code, 'OTP');
    this.secrets.add(sandbox?.admin_token, 'ADMIN_TOKEN');
    this.secrets.add(webhook?.secret, 'WEBHOOK_SECRET');
  }

  /** Creates separate connections to the server. */
  another() {
    const { input } = this.parts;
    const partner = new Partner(this.#optionsOf(input.client_url));
    return { partner, operations: new Operations(partner, input, (token) => this.#addToken(token)) };
  }

  /** Starts the platform on first use, with the server as its client. */
  platform(): Promise<Platform> {
    const { clientUrl, timeoutMs } = this.#optionsOf(this.parts.input.client_url);
    this.#platform ??= this.parts.startPlatform({ clientUrl, timeoutMs, projectCode: this.projectCode });
    return this.#platform;
  }

  /** Sends a delivery to the server's webhook address. It counts towards the number of calls. */
  async deliver({ url = '' }: { readonly url?: string }, headers: HeaderList, body: string): Promise<Answer> {
    this.partner.counted(1);
    this.#webhook ??= new Partner(this.#optionsOf(new URL(url).origin));
    this.#webhook.left = 1;
    return this.#webhook.send({ ...callTo(url), headers, body: Buffer.from(body) });
  }

  interrupt(): void {
    this.partner.interrupt();
    this.#webhook?.interrupt();
  }

  /** Stops the platform, then closes the connections. Ignores a failed start, which the affected requirements report. */
  async close(): Promise<void> {
    const [platform] = await Promise.allSettled([this.#platform]);
    if (platform.status === 'fulfilled') await platform.value?.close();
    await this.partner.close();
    await this.#webhook?.close();
  }

  #optionsOf(clientUrl: string): PartnerOptions {
    const { input, connect, turns, checker, now } = this.parts;
    return { clientUrl, timeoutMs: input.timeout_ms ?? 15_000, connect, turns, checker, now };
  }

  /** Masks a token and its signature. Probes send the signature with other claims, so the token could be reconstructed. */
  #addToken(token: string): void {
    this.secrets.add(token, 'CUSTOMER_TOKEN');
    this.secrets.add(token.split('.')[2], 'CUSTOMER_SIGNATURE');
  }
}
