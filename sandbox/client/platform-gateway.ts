import { createRewardsClient, createV2Client, renewedToken } from '../../generated/index.ts';
import type { components } from '../../generated/rewards/types.ts';
import type { Activity } from '../runtime/activity.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Outgoing, reasonOf } from '../runtime/outgoing.ts';
import type { SeededRandom } from '../runtime/random.ts';

export type Voucher = components['schemas']['Voucher'];
type Order = components['schemas']['Order'];
type PaymentEvent = components['schemas']['PaymentEvent'];

/** How the platform answered a payment event: yes, no with its own message, or nothing that can be used. */
export interface PaymentAnswer {
  readonly points: number | null;
  readonly answer: { readonly outcome: 'accepted' | 'refused' | 'no_answer'; readonly message: string };
}

/** Where the platform is and the secret that the client shows it. */
export interface PlatformAddress {
  readonly rewardsUrl: () => string;
  readonly companySecret: string;
}

/** The reference client's calls to the platform, over HTTP like everybody's. */
export class PlatformGateway {
  readonly #outgoing: Outgoing;
  readonly #activity: Activity;
  readonly #random: SeededRandom;
  readonly #address: PlatformAddress;
  readonly #clock: Clock;
  #token: () => Promise<string>;

  constructor(outgoing: Outgoing, activity: Activity, random: SeededRandom, clock: Clock, address: PlatformAddress) {
    this.#outgoing = outgoing;
    this.#activity = activity;
    this.#random = random;
    this.#address = address;
    this.#clock = clock;
    this.#token = this.#newToken();
  }

  /** Forgets its token, as after a return to an earlier time. */
  forget(): void {
    this.#token = this.#newToken();
  }

  #newToken(): () => Promise<string> {
    return renewedToken(
      () => this.#signIn(),
      () => this.#clock.now(),
    );
  }

  /** The customer's vouchers, or undefined when the platform gave no good answer. */
  async getWallet(uid: string, trace: string): Promise<readonly Voucher[] | undefined> {
    const path = `/getwalletdetail?uid=${encodeURIComponent(uid)}`;
    const wallet = await this.#read('getWalletDetail', path, trace, ({ baseUrl, options, headers }) =>
      createRewardsClient({ baseUrl, ...options }).GET('/getwalletdetail', { params: { query: { uid } }, headers }),
    );
    return wallet?.data;
  }

  /** The order that a redemption belongs to, or undefined when the platform gave no good answer. */
  getOrder(redeem_code: string, trace: string): Promise<Order | undefined> {
    const path = `/api/v1/orders/status?redeem_code=${encodeURIComponent(redeem_code)}`;
    return this.#read('getOrderStatus', path, trace, ({ baseUrl, options, headers }) =>
      createV2Client({ baseUrl, ...options }).GET('/api/v1/orders/status', {
        params: { query: { redeem_code } },
        headers,
      }),
    );
  }

  async #read<T>(
    operation: string,
    path: string,
    trace: string,
    send: (how: Way) => Promise<Answered<T>>,
  ): Promise<T | undefined> {
    const baseUrl = this.#address.rewardsUrl();
    const url = `${baseUrl}${path}`;
    const seen = { kind: 'call_out', trace, party: 'platform', method: 'GET', url, operation, request: null } as const;
    const headers = { traceparent: `00-${trace}-${this.#random.hex(8)}-01` };
    try {
      const options = { ...this.#outgoing.options(operation), token: this.#token };
      const { data, error, response } = await send({ baseUrl, options, headers });
      const { status, headers: told } = response;
      // A wallet may be large: what is left out of the log anyway is not looked into.
      const replyBytes = Number(told.get('content-length'));
      this.#activity.call({ ...seen, status, reply: data ?? error, replyBytes, notices: [] });
      return data;
    } catch (error) {
      this.#activity.call({ ...seen, status: null, reply: null, notices: [reasonOf(error)] });
      return undefined;
    }
  }

  /** Reports a digital payment (G8). */
  async sendPaymentEvent(body: PaymentEvent, trace: string): Promise<PaymentAnswer> {
    const url = `${this.#address.rewardsUrl()}/v1/partner/events/payment`;
    const call = { kind: 'call_out', trace, party: 'platform', method: 'POST', url } as const;
    const seen = { ...call, operation: 'sendPaymentEvent', request: body };
    try {
      const headers = { traceparent: `00-${trace}-${this.#random.hex(8)}-01` };
      const options = { ...this.#outgoing.options('sendPaymentEvent'), token: this.#token };
      const rewards = createRewardsClient({ baseUrl: this.#address.rewardsUrl(), ...options });
      const sent = await rewards.POST('/v1/partner/events/payment', { body, headers });
      const { data, error, response } = sent;
      this.#activity.call({ ...seen, status: response.status, reply: data ?? error, notices: [] });
      if (data !== undefined) return { points: data.points, answer: { outcome: 'accepted', message: '' } };
      // A server that failed has not decided.
      const outcome = response.status < 500 ? 'refused' : 'no_answer';
      const message = (error as Partial<typeof error> | undefined)?.message ?? `status ${response.status}`;
      return { points: null, answer: { outcome, message } };
    } catch (error) {
      const message = reasonOf(error);
      this.#activity.call({ ...seen, status: null, reply: null, notices: [message] });
      return { points: null, answer: { outcome: 'no_answer', message } };
    }
  }

  async #signIn(): Promise<{ token: string; expires_in: number }> {
    const options = this.#outgoing.options('companyAuth');
    const rewards = createRewardsClient({ baseUrl: this.#address.rewardsUrl(), ...options });
    const { data } = await rewards.POST('/v1/company/auth', { body: { secret: this.#address.companySecret } });
    if (data === undefined) throw new Error('the platform refused the company secret');
    return data;
  }
}

/** How a call to the platform is made: where to, with whose credentials, under which trace. */
interface Way {
  readonly baseUrl: string;
  readonly options: ReturnType<Outgoing['options']> & { readonly token: () => Promise<string> };
  readonly headers: Readonly<Record<string, string>>;
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: { readonly status: number; readonly headers: { get(name: string): string | null } };
}
