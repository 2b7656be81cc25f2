import type { components } from '../../generated/client/types.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { Account, Entry, Redemption } from '../domain/ledger.ts';
import { type Attempts, type Otp, type SentCodes, subscriberNumber } from '../domain/otp.ts';
import type { DueCollections } from '../jobs/work.ts';
import { orderedKey, type RandomCollections } from '../runtime/ids.ts';
import type { StoreSchema, Tx } from '../store/store.ts';

export type Profile = components['schemas']['Profile'];

/** A customer of the client, with the totals of the customer's ledger entries. */
export interface Customer {
  readonly uid: string;
  readonly profile: Profile;
  readonly account: Account;
  readonly attempts: Attempts;
  /** Recent one-time passwords; absent until the first is sent. */
  readonly codes?: SentCodes;
  /** Hides the customer from lists. The customer can still earn, redeem and sign in. */
  readonly unlisted?: true;
}

/** A ledger entry. `redeemCode` is set if the entry belongs to a redemption. */
export interface LedgerEntry extends Entry {
  readonly uid: string;
  readonly redeemCode: string | null;
  /** The sequence number of the corresponding state change in the activity log. */
  readonly seq: number;
  /** Milliseconds on the sandbox clock, like every time in these collections. */
  readonly at: number;
}

/** The subject of a message from the reference client (OP-160). */
type MessageKind = 'otp' | 'voucher' | 'delivered' | 'rejected' | 'reversed' | 'credited';

/** The channel that a real client would use. */
type Channel = 'SMS' | 'WhatsApp';

interface AnyMessage {
  /** The sequence number, unique across all messages. */
  readonly seq: number;
  /** The reference that verifies the message's one-time password. */
  readonly reference_id?: string;
  readonly otp?: string;
  /** The masked mobile number of the recipient. */
  readonly mobile: string;
  readonly text: string;
  readonly at: number;
}

/** A message that the reference client would have sent by SMS or WhatsApp (OP-36). */
export interface ClientMessage extends AnyMessage {
  readonly source?: undefined;
  readonly uid: string;
  readonly kind: MessageKind;
  /** The expiry of the voucher in the message; absent if there is none. */
  readonly expires?: number;
}

/** A message that a partner's own server sent through the gateway (OP-164). */
export interface GatewayMessage extends AnyMessage {
  readonly source: 'gateway';
  /** The customer's uid; `null` if unknown (OP-165). */
  readonly uid: string | null;
  readonly kind: 'otp' | 'other';
  readonly channel: Channel;
}

export type OutboxMessage = ClientMessage | GatewayMessage;

/** The client's collections. */
export interface ClientCollections extends ActivityCollections, DueCollections, RandomCollections {
  readonly customers: Customer;
  readonly entries: LedgerEntry;
  readonly redemptions: Redemption;
  /** Keyed by transactionId: a digest of all values of the credit. */
  readonly credits: { readonly fingerprint: string };
  readonly otps: Otp;
  readonly messages: OutboxMessage;
}

/** The channel of each kind: SMS for account messages, WhatsApp for order messages (OP-160). */
const channels = {
  otp: 'SMS',
  credited: 'SMS',
  reversed: 'SMS',
  voucher: 'WhatsApp',
  delivered: 'WhatsApp',
  rejected: 'WhatsApp',
} as const satisfies Record<MessageKind, Channel>;

/** Returns the channel that a real client would use for a message. */
export function channelOf(message: OutboxMessage): Channel {
  return message.source === 'gateway' ? message.channel : channels[message.kind];
}

/** Returns the index group of a customer's messages on one channel. */
export function customerChannel(uid: string, channel: Channel): string {
  return `${channel} ${uid}`;
}

/** A transaction on the client's collections. */
export type ClientTx = Tx<ClientCollections>;

/** The client's collections or a transaction on them, to look up records by id. */
export type ClientLookup = Pick<ClientTx, 'get'>;

const day = 24 * 3600 * 1000;

/** The schema. Expired one-time passwords stay for a day, to distinguish them from unknown ones. Messages stay for 30 days (OP-57). */
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
