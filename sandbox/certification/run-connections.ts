/** What a run calls with: the server, its webhook address, and the platform of the journeys. */
import type { Checker } from '../conformance/checker.ts';
import type { HeaderList } from '../conformance/exchange.ts';
import type { Connector } from '../http-client/connecting.ts';
import type { Delay } from '../runtime/timer.ts';
import type { Answer } from './answer.ts';
import { Secrets } from './failure.ts';
import { Operations } from './operations.ts';
import { Partner, type PartnerOptions, type Turns } from './partner.ts';
import { Sessions } from './sessions.ts';
import type { Input, ReadCode } from './verdict.ts';

/**
 * A sandbox of this project that has the partner's server as its client, as journeys drive it: its address, and what opens
 * it. Everything else is HTTP.
 */
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

/** What connections are made of. */
export interface ConnectionParts {
  readonly input: Input;
  readonly checker: Checker;
  /** Real time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly connect: Connector;
  /** Without them, the run shares its process with nobody. */
  readonly turns?: Turns | undefined;
  readonly readCode: ReadCode;
  readonly startPlatform: StartPlatform;
  readonly delay: Delay;
  /** What codes and transactions of this run begin with: never the same twice. */
  readonly unique: string;
  /** Ends the run: what was tested until then is reported, and the balances are restored. */
  readonly signal: AbortSignal;
}

export class RunConnections {
  readonly partner: Partner;
  readonly operations: Operations;
  readonly sessions: Sessions;
  /** What reports hide. */
  readonly secrets = new Secrets();
  /** The options of the run, with the versions that the server implements once they are detected. */
  input: Input;
  projectCode = '';
  /** Codes of redemptions of version 1.0 that may be pending: they are refunded afterwards. */
  readonly open = new Set<string>();
  /** Points of order lines of version 2.0 that may be pending, by their codes. */
  readonly lines = new Map<string, number>();
  readonly parts: ConnectionParts;
  #webhook: Partner | undefined;
  #platform: Promise<Platform> | undefined;

  constructor(parts: ConnectionParts) {
    this.parts = parts;
    this.input = parts.input;
    ({ partner: this.partner, operations: this.operations } = this.another());
    this.sessions = new Sessions(this.operations, parts.readCode, parts.now);
    this.#addSecrets();
  }

  /** Connections of their own to the server. */
  another(): { readonly partner: Partner; readonly operations: Operations } {
    const { input } = this.parts;
    const partner = new Partner(this.#optionsOf(input.client_url));
    return { partner, operations: new Operations(partner, input, (token) => this.#addToken(token)) };
  }

  /** The platform of this project with the server as its client. */
  platform(): Promise<Platform> {
    const { clientUrl, timeoutMs } = this.#optionsOf(this.parts.input.client_url);
    this.#platform ??= this.parts.startPlatform({ clientUrl, timeoutMs, projectCode: this.projectCode });
    return this.#platform;
  }

  /** Sends to the server's webhook address; such a call counts as any other. */
  async deliver({ url = '' }: { readonly url?: string }, headers: HeaderList, body: string): Promise<Answer> {
    this.partner.counted(1);
    this.#webhook ??= new Partner(this.#optionsOf(new URL(url).origin));
    this.#webhook.left = 1;
    const { origin, pathname, search } = new URL(url);
    const call = { method: 'POST', path: `${pathname}${search}`, headers, body: Buffer.from(body), base: origin };
    return this.#webhook.send(call);
  }

  interrupt(): void {
    this.partner.interrupt();
    this.#webhook?.interrupt();
  }

  /** Stops the platform, then closes what is open. If it did not start, the requirements that need it report that. */
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

  /** Its signature too: probes send it below other claims, from which the token could be put together. */
  #addToken(token: string): void {
    this.secrets.add(token, 'CUSTOMER_TOKEN');
    this.secrets.add(token.split('.')[2], 'CUSTOMER_SIGNATURE');
  }

  #addSecrets(): void {
    const { service_token, basic, expired_token, otp, sandbox, webhook } = this.parts.input;
    this.secrets.add(service_token, 'SERVICE_TOKEN');
    this.secrets.add(basic && Buffer.from(basic).toString('base64'), 'BASIC_CREDENTIALS');
    this.secrets.add(basic?.slice(basic.indexOf(':') + 1), 'BASIC_PASSWORD');
    this.secrets.add(expired_token, 'EXPIRED_TOKEN');
    this.secrets.add(otp?.code, 'OTP');
    this.secrets.add(sandbox?.admin_token, 'ADMIN_TOKEN');
    this.secrets.add(webhook?.secret, 'WEBHOOK_SECRET');
  }
}
