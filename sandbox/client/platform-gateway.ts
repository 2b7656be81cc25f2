import { createRewardsClient, renewedToken } from '../../generated/index.ts';
import type { components } from '../../generated/rewards/types.ts';
import type { Activity } from '../runtime/activity.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Outgoing, reasonOf } from '../runtime/outgoing.ts';
import type { SeededRandom } from '../runtime/random.ts';

type Voucher = components['schemas']['Voucher'];
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
  readonly #token: () => Promise<string>;

  constructor(outgoing: Outgoing, activity: Activity, random: SeededRandom, clock: Clock, address: PlatformAddress) {
    this.#outgoing = outgoing;
    this.#activity = activity;
    this.#random = random;
    this.#address = address;
    this.#token = renewedToken(
      () => this.#signIn(),
      () => clock.now(),
    );
  }

  /** The customer's vouchers, or undefined when the platform gave no good answer. */
  async getWallet(uid: string, trace: string): Promise<readonly Voucher[] | undefined> {
    const url = `${this.#address.rewardsUrl()}/getwalletdetail?uid=${encodeURIComponent(uid)}`;
    const seen = {
      kind: 'call_out',
      trace,
      party: 'platform',
      method: 'GET',
      url,
      operation: 'getWalletDetail',
      request: null,
    } as const;
    try {
      const rewards = this.#client(this.#token);
      const headers = { traceparent: `00-${trace}-${this.#random.hex(8)}-01` };
      const { data, error, response } = await rewards.GET('/getwalletdetail', { params: { query: { uid } }, headers });
      this.#activity.call({ ...seen, status: response.status, reply: data ?? error, notices: [] });
      return data?.data;
    } catch (error) {
      this.#activity.call({ ...seen, status: null, reply: null, notices: [reasonOf(error)] });
      return undefined;
    }
  }

  /** Reports a digital payment (interface, rule 1). */
  async sendPaymentEvent(body: PaymentEvent, trace: string): Promise<PaymentAnswer> {
    const url = `${this.#address.rewardsUrl()}/v1/partner/events/payment`;
    const call = { kind: 'call_out', trace, party: 'platform', method: 'POST', url } as const;
    const seen = { ...call, operation: 'sendPaymentEvent', request: body };
    try {
      const headers = { traceparent: `00-${trace}-${this.#random.hex(8)}-01` };
      const sent = await this.#client(this.#token).POST('/v1/partner/events/payment', { body, headers });
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
    const { data } = await this.#client().POST('/v1/company/auth', { body: { secret: this.#address.companySecret } });
    if (data === undefined) throw new Error('the platform refused the company secret');
    return data;
  }

  #client(token?: () => Promise<string>) {
    const baseUrl = this.#address.rewardsUrl();
    return createRewardsClient({ baseUrl, ...this.#outgoing.options, ...(token !== undefined && { token }) });
  }
}
