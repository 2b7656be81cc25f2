import { afterCode, locked, maskMobile, otpLifetimeSeconds, waitForCode } from '../../domain/otp.ts';
import { nextNumber, numbered } from '../../runtime/numbering.ts';
import { draw } from '../../runtime/random.ts';
import { digest } from '../../runtime/secrets.ts';
import { dropEnded, mostAtOnce } from '../../store/pruning.ts';
import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';
import { send } from '../outbox.ts';

/** Makes a one-time password for a customer and sends it to the outbox (D2 to D4; OP-18, OP-36, OP-125, OP-126). */
export async function generateOtp(
  client: Client,
  call: ClientCall<'generateOtp'>,
): Promise<ClientReply<'generateOtp'>> {
  const uid = call.body.customer_id;
  const { store, clock, activity } = client;
  return store.transact((tx) => {
    const customer = tx.get('customers', uid);
    if (customer === undefined) return { kind: 'unknown_customer' };
    const now = clock.now();
    if (locked(customer.attempts, now)) return { kind: 'customer_locked' };
    const waitSeconds = waitForCode(customer.codes, now);
    if (waitSeconds > 0) return { kind: 'otp_limit_reached', waitSeconds };
    const before = customer.codes && tx.get('otps', customer.codes.reference_id);
    if (before !== undefined) tx.put('otps', before.reference_id, { ...before, replaced: true });
    const reference_id = `${numbered('OTP', nextNumber(tx, 'otps'))}-${draw(tx, (random) => random.code(8))}`;
    const otp = draw(tx, (random) => random.digits(6));
    const expiresAt = now + otpLifetimeSeconds * 1000;
    tx.add('otps', reference_id, {
      reference_id,
      uid,
      digest: otpDigest(reference_id, otp),
      expiresAt,
      tries: 0,
      used: false,
    });
    tx.put('customers', uid, { ...customer, codes: afterCode(customer.codes, reference_id, now) });
    dropEnded(tx, 'otps', now, mostAtOnce);
    const text = `${otp} is your one-time password. It is valid for 5 minutes.`;
    send(tx, { uid, kind: 'otp', reference_id, otp, text, at: now });
    activity.note(tx, { trace: call.trace, party: 'client', event: 'otp.sent', uid, detail: { reference_id } });
    const mobile = maskMobile(customer.profile.mobileNo);
    return { status: 200, body: { success: true, status: 200, reference_id, expires_in: otpLifetimeSeconds, mobile } };
  });
}

/** What stands for a code in the books: a digest bound to its reference. */
export function otpDigest(reference_id: string, otp: string): string {
  return digest(`${reference_id}:${otp}`);
}
