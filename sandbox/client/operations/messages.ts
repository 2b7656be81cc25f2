import { codeIn, maskMobile, subscriberNumber } from '../../domain/otp.ts';
import type { Reader } from '../../store/store.ts';
import type { GatewayCall, GatewayReply } from '../access.ts';
import type { Client } from '../client.ts';
import type { ClientCollections } from '../collections.ts';
import { add } from '../outbox.ts';

const channels = { sms: 'SMS', whatsapp: 'WhatsApp' } as const;

/** Adds a message from a partner's own server to the outbox (OP-164 to OP-167). */
export async function sendMessage(
  { store, clock, activity }: Client,
  call: GatewayCall<'sendMessage'>,
): Promise<GatewayReply<'sendMessage'>> {
  const { to, text, customer_id, reference_id } = call.body;
  const channel = channels[call.body.channel];
  return store.transact((tx) => {
    const uid = customer_id ?? holderOf(tx, to);
    const otp = codeIn(text);
    const at = clock.now();
    const reference = reference_id === undefined ? {} : { reference_id };
    const coded = otp === undefined ? ({ kind: 'other' } as const) : ({ kind: 'otp', otp } as const);
    const seq = add(tx, { source: 'gateway', uid, ...coded, channel, mobile: maskMobile(to), ...reference, text, at });
    const about = uid === null ? {} : { uid };
    const detail = { seq, channel, ...reference };
    activity.note(tx, { trace: call.trace, party: 'sandbox', event: 'message.accepted', ...about, detail });
    return { status: 201, body: { seq } };
  });
}

/** Returns the uid of the only customer with this number; `null` if there is none or more than one (OP-165). */
function holderOf(reader: Reader<ClientCollections>, phone: string): string | null {
  const number = subscriberNumber(phone);
  const [holder, ...more] = number === undefined ? [] : reader.find('customers', 'number', number);
  return holder === undefined || more.length > 0 ? null : holder.uid;
}
