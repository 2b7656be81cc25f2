import { createRewardsClient, renewedToken } from '../../generated/index.ts';
import type { components } from '../../generated/rewards/types.ts';
import { flatMessage } from '../contract/envelopes.ts';
import { wordsOf } from '../domain/failures.ts';
import { type CallRecorder, callOut } from '../http-client/call-out.ts';
import type { Outgoing } from '../http-client/outgoing.ts';
import { answerOf } from '../http-client/reply.ts';
import type { Clock } from '../runtime/clock.ts';

export type Voucher = components['schemas']['Voucher'];
type Order = components['schemas']['Order'];
type PaymentEvent = components['schemas']['PaymentEvent'];

/** The platform's base URL, and the secret that authenticates the client to it. */
interface PlatformAddress {
  readonly rewardsUrl: () => string;
  readonly companySecret: string;
}

/** The reference client's calls to the platform, over HTTP. */
export class PlatformGateway {
  readonly #parts;
  #token: () => Promise<string>;

  constructor(outgoing: Outgoing, around: CallRecorder, clock: Clock, address: PlatformAddress) {
    this.#parts = { outgoing, around, clock, address };
    this.#token = this.#newToken();
  }

  /** Discards the token, for example after a restore to an earlier time. */
  forget(): void {
    this.#token = this.#newToken();
  }

  #newToken(): () => Promise<string> {
    return renewedToken(
      () => this.#signIn(),
      () => this.#parts.clock.now(),
    );
  }

  /** Returns the customer's vouchers, or `undefined` if the call failed. */
  async getWallet(uid: string, trace: string): Promise<readonly Voucher[] | undefined> {
    const path = `/getwalletdetail?uid=${encodeURIComponent(uid)}`;
    const answer = await this.#call<components['schemas']['Wallet']>('getWalletDetail', {
      ...({ method: 'GET', path, trace } as const),
      as: (token) => `Bearer ${token}`,
    });
    return answer.kind === 'accepted' ? answer.body.data : undefined;
  }

  /** Returns the order of a redemption, or `undefined` if the call failed. */
  async getOrder(redeem_code: string, trace: string): Promise<Order | undefined> {
    const path = `/api/v1/orders/status?redeem_code=${encodeURIComponent(redeem_code)}`;
    const call = { method: 'GET', path, trace } as const;
    const answer = await this.#call<Order>('getOrderStatus', call);
    return answer.kind === 'accepted' ? answer.body : undefined;
  }

  /** Reports a digital payment (G8). Returns whether it was accepted, refused with a message, or has no usable answer. */
  async sendPaymentEvent(body: PaymentEvent, trace: string) {
    const call = { method: 'POST', path: '/v1/partner/events/payment', trace, body } as const;
    const answer = await this.#call<components['schemas']['PaymentAccepted']>('sendPaymentEvent', call);
    const { kind: outcome } = answer;
    if (answer.kind === 'accepted') return { points: answer.body.points, answer: { outcome, message: '' } };
    return { points: null, answer: { outcome, message: wordsOf(answer) } };
  }

  async #call<T>(operation: string, { method, path, trace, body = null, as = (token) => token }: PlatformCall) {
    const { outgoing, around, address } = this.#parts;
    const call = {
      ...({ operation, party: 'platform', trace, method, request: body } as const),
      url: `${address.rewardsUrl()}${path}`,
      headers: async () => ({ authorization: as(await this.#token()) }),
      outgoing: () => outgoing,
      judged: { by: 'trusted' } as const,
      // A server error is not a refusal.
      refuses: (status: number) => status < 500,
      message: flatMessage,
    };
    return answerOf(await callOut<T>(around, call));
  }

  async #signIn(): Promise<{ token: string; expires_in: number }> {
    const { outgoing, address } = this.#parts;
    const fetch = outgoing.fetchOf('companyAuth');
    const rewards = createRewardsClient({ baseUrl: address.rewardsUrl(), fetch });
    const { data } = await rewards.POST('/v1/company/auth', { body: { secret: address.companySecret } });
    if (data === undefined) throw new Error('the platform refused the company secret');
    return data;
  }
}

/** The request of one call. */
interface PlatformCall {
  readonly method: 'GET' | 'POST';
  /** The path, with its query string. */
  readonly path: string;
  readonly trace: string;
  readonly body?: unknown;
  /** Formats the `Authorization` header from the token. Default: the bare token (OP-03). */
  readonly as?: (token: string) => string;
}
