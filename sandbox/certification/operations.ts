/** Calls to a client server, in the form that the platform and the microsite send. */
import type { components as AuthSchemas } from '../../generated/auth/types.ts';
import type { components as ClientSchemas } from '../../generated/client/types.ts';
import type { components as V2Schemas } from '../../generated/v2-client/types.ts';
import type { HeaderList } from '../conformance/exchange.ts';
import { type Answer, type Call, fieldsIn } from './answer.ts';
import type { Partner } from './partner.ts';
import type { Input } from './verdict.ts';

export type RedemptionRecord = ClientSchemas['schemas']['RedemptionRecord'];
export type StatusUpdate = ClientSchemas['schemas']['StatusUpdate'];
export type CreditPointsEvent = ClientSchemas['schemas']['CreditPointsEvent'];
export type Deduction = V2Schemas['schemas']['Deduction'];
export type Reversal = V2Schemas['schemas']['Reversal'];
export type OtpVerification = AuthSchemas['schemas']['OtpVerification'];

/** Differences between a call and the one that the platform would send. */
export interface Sending {
  /** The value of the `Authorization` header, or `null` for none. By default the operation's own credential. */
  readonly authorization?: string | null;
  /** The `Content-Type`, or `null` for none. By default `application/json` if there is a body. */
  readonly contentType?: string | null;
  readonly headers?: HeaderList;
  readonly method?: string;
  /** The raw body to send instead of JSON. */
  readonly raw?: string | Buffer;
  readonly framing?: NonNullable<Call['framing']>;
  readonly connection?: NonNullable<Call['connection']>;
}

/** A body that a correct caller would not send, such as one with missing or additional fields. */
export type Body = Readonly<Record<string, unknown>>;

/** Paths of operations that change the ledger. */
export const bookings = {
  credit: '/creditPoints',
  save: '/saveRedeemDetails',
  update: '/updateRedeemStatus',
  redeem: '/api/v1/orders/redeem',
  reverse: '/api/v1/orders/reverse',
} as const;

export type Booking = keyof typeof bookings;

/** Functions that call the operations. They resolve with any result and reject for the same reasons as `Partner.send`. */
export class Operations {
  readonly #partner: Partner;
  readonly #bearer: string | null;
  readonly #basic: string | null;
  readonly #signedIn: (token: string) => void;

  /** @param signedIn called with each token that the server issues to a customer, so that reports mask it */
  constructor(partner: Partner, { service_token: token, basic }: Input, signedIn: (token: string) => void) {
    this.#partner = partner;
    this.#bearer = token === undefined ? null : `Bearer ${token}`;
    this.#basic = basic === undefined ? null : `Basic ${Buffer.from(basic).toString('base64')}`;
    this.#signedIn = signedIn;
  }

  readonly credit = this.#booking('credit');
  readonly save = this.#booking('save');
  readonly update = this.#booking('update');
  readonly redeem = this.#booking('redeem');
  readonly reverse = this.#booking('reverse');

  profile(uid: string, sending?: Sending): Promise<Answer> {
    return this.#read('POST', `/getProfileAndPoints?uid=${encodeURIComponent(uid)}`, sending);
  }

  points(uid: string, sending?: Sending): Promise<Answer> {
    return this.#read('GET', `/api/v1/customer/points?customer_id=${encodeURIComponent(uid)}`, sending);
  }

  generateOtp(body: Body, sending?: Sending): Promise<Answer> {
    return this.#partner.send(asCall('POST', '/api/v1/auth/generate-otp', this.#basic, body, sending));
  }

  async verifyOtp(body: Body, sending?: Sending): Promise<Answer> {
    const answer = await this.#partner.send(asCall('POST', '/api/v1/auth/verify-otp', this.#basic, body, sending));
    const { token } = fieldsIn(answer);
    if (typeof token === 'string') this.#signedIn(token);
    return answer;
  }

  /** Sends a call and drops the connection before the reply is read. See `Partner.abandon`. */
  abandon(name: Booking, body: Body, afterMs: number): Promise<void> {
    return this.#partner.abandon(asCall('POST', bookings[name], this.#bearer, body), afterMs);
  }

  /** Sends an arbitrary call. */
  send(call: Call): Promise<Answer> {
    return this.#partner.send(call);
  }

  #booking(name: Booking) {
    return (body: Body, sending?: Sending): Promise<Answer> =>
      this.#partner.send(asCall('POST', bookings[name], this.#bearer, body, sending));
  }

  #read(method: string, path: string, sending?: Sending): Promise<Answer> {
    return this.#partner.send(asCall(method, path, this.#bearer, undefined, sending));
  }
}

function asCall(
  method: string,
  path: string,
  credential: string | null,
  body: Body | undefined,
  { authorization = credential, contentType, headers = [], raw, method: other, ...more }: Sending = {},
): Call {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = contentType === undefined && text !== undefined ? 'application/json' : (contentType ?? null);
  const sent: HeaderList = [
    ['accept', 'application/json'],
    ...(authorization === null ? [] : [['authorization', authorization] as const]),
    ...(type === null ? [] : [['content-type', type] as const]),
    ...headers,
  ];
  const bytes = text === undefined ? undefined : Buffer.from(text);
  return { ...more, method: other ?? method, path, headers: sent, body: bytes };
}
