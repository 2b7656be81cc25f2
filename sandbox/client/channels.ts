import type { Channel, MessageKind, OutboxMessage } from './books.ts';

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
