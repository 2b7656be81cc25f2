import type { components } from '../../generated/client/types.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { Account, Entry } from '../domain/ledger.ts';
import { type Attempts, type Otp, type SentCodes, subscriberNumber } from '../domain/otp.ts';
import type { Redemption } from '../domain/redemption.ts';
import type { DueCollections } from '../jobs/work.ts';
import { orderedKey, type RandomCollections } from '../runtime/ids.ts';
import type { StoreSchema } from '../store/store.ts';

export type Profile = components['schemas']['Profile'];

/** A customer of the client, with the totals that the ledger's entries add up to. */
export interface Customer {
  readonly uid: string;
  readonly profile: Profile;
  readonly account: Account;
  readonly attempts: Attempts;
  /** The codes that were sent; absent before the first. */
  readonly codes?: SentCodes;
  /** Takes part in everything and is in no list. */
  readonly unlisted?: true;
}

/** A booking of the ledger. `redeemCode` is set where it belongs to a redemption. */
export interface LedgerEntry extends Entry {
  readonly uid: string;
  readonly redeemCode: string | null;
  /** Its place in the activity log: the number of the state change that it was booked with. */
  readonly seq: number;
  /** Milliseconds on the sandbox clock, like every time of these collections. */
  readonly at: number;
}

/** What a message of the reference client is about (OP-160). */
type MessageKind = 'otp' | 'voucher' | 'delivered' | 'rejected' | 'reversed' | 'credited';

/** How a message would have been sent. */
export type Channel = 'SMS' | 'WhatsApp';

interface AnyMessage {
  /** Its number among all messages. */
  readonly seq: number;
  /** What its code is verified with. */
  readonly reference_id?: string;
  readonly otp?: string;
  readonly text: string;
  readonly at: number;
}

/** A message that the reference client would have sent by SMS or WhatsApp (OP-36). */
export interface ClientMessage extends AnyMessage {
  readonly source?: undefined;
  readonly uid: string;
  readonly kind: MessageKind;
  /** The number that it went to, masked. */
  readonly mobile: string;
  /** When its voucher expires; left out if it has none. */
  readonly expires?: number;
}

/** A message that a client's own server sent through the gateway (OP-164). */
export interface GatewayMessage extends AnyMessage {
  readonly source: 'gateway';
  /** Its customer, if recorded (OP-165). */
  readonly uid: string | null;
  readonly kind: 'otp' | 'other';
  readonly channel: Channel;
  /** The number that it went to, masked. */
  readonly mobile: string;
}

export type OutboxMessage = ClientMessage | GatewayMessage;

/** The client's collections. */
export interface ClientCollections extends ActivityCollections, DueCollections, RandomCollections {
  readonly customers: Customer;
  readonly entries: LedgerEntry;
  readonly redemptions: Redemption;
  /** By transactionId: a digest of all values of the credit. */
  readonly credits: { readonly fingerprint: string };
  readonly otps: Otp;
  readonly messages: OutboxMessage;
}

/** What is about an account goes by SMS, what is about an order by WhatsApp (OP-160). */
const channels = {
  otp: 'SMS',
  credited: 'SMS',
  reversed: 'SMS',
  voucher: 'WhatsApp',
  delivered: 'WhatsApp',
  rejected: 'WhatsApp',
} as const satisfies Record<MessageKind, Channel>;

/** How a message would have been sent. */
export function channelOf(message: OutboxMessage): Channel {
  return message.source === 'gateway' ? message.channel : channels[message.kind];
}

/** The group of a customer's messages of one channel. */
export function customerChannel(uid: string, channel: Channel): string {
  return `${channel} ${uid}`;
}

const day = 24 * 3600 * 1000;

/** An expired code is distinguished from an unknown one for a day; a message is stored for thirty (OP-57). */
export const clientSchema: StoreSchema<
  Omit<ClientCollections, keyof ActivityCollections | keyof DueCollections | keyof RandomCollections>
> = {
  customers: { ordered: true, indexes: { number: ({ profile }) => subscriberNumber(profile.mobileNo) } },
  entries: {
    indexes: { redeemCode: (entry) => entry.redeemCode ?? undefined },
    sorted: { customer: ({ uid }, number) => [uid, number] },
  },
  redemptions: {},
  credits: {},
  otps: { until: ({ expiresAt }) => expiresAt + day },
  messages: {
    ordered: true,
    indexes: { reference_id: ({ reference_id }) => reference_id },
    sorted: {
      customer: ({ uid, seq }) => (uid === null ? undefined : [uid, orderedKey(seq)]),
      channel: (message) => [channelOf(message), orderedKey(message.seq)],
      customerChannel: (message) => {
        const { uid, seq } = message;
        return uid === null ? undefined : [customerChannel(uid, channelOf(message)), orderedKey(seq)];
      },
    },
    until: ({ at }) => at + 30 * day,
  },
};
