import { points } from '../../domain/ledger.ts';
import { afterCode, isLocked, maskMobile, validityWords, verify, waitForCode } from '../../domain/otp.ts';
import { draw, nextNumber, numberedId } from '../../runtime/ids.ts';
import { digest, sameSecret } from '../../runtime/tokens.ts';
import { dropEnded, mostAtOnce } from '../../store/pruning.ts';
import type { ClientCall, ClientReply } from '../access.ts';
import type { Client } from '../client.ts';
import { send } from '../outbox.ts';

/** Generates a one-time password for a customer and sends it to the outbox (D2 to D4; OP-18, OP-36, OP-125, OP-126). */
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
    if (isLocked(customer.attempts, now)) return { kind: 'customer_locked' };
    const waitSeconds = waitForCode(customer.codes, now);
    if (waitSeconds > 0) return { kind: 'otp_limit_reached', waitSeconds };
    const before = customer.codes && tx.get('otps', customer.codes.reference_id);
    if (before !== undefined) tx.put('otps', before.reference_id, { ...before, replaced: true });
    const reference_id = `${numberedId('OTP', nextNumber(tx, 'otps'))}-${draw(tx, (random) => random.code(8))}`;
    const otp = draw(tx, (random) => random.digits(6));
    const expires_in = client.settings().otp_lifetime;
    const expiresAt = now + expires_in * 1000;
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
    const text = `${otp} is your one-time password. It is valid for ${validityWords(expires_in)}.`;
    send(tx, { uid, kind: 'otp', reference_id, otp, text, at: now });
    activity.note(tx, { trace: call.trace, party: 'client', event: 'otp.sent', uid, detail: { reference_id } });
    const mobile = maskMobile(customer.profile.mobileNo);
    return { status: 200, body: { success: true, status: 200, reference_id, expires_in, mobile } };
  });
}

/** Returns the digest to store instead of a one-time password. It is bound to the reference. */
function otpDigest(reference_id: string, otp: string): string {
  return digest(`${reference_id}:${otp}`);
}

const lifetimeSeconds = 1800;

/** Signs a customer in with a one-time password and issues the JWT (D5, D6; OP-18, OP-19). */
export async function verifyOtp(client: Client, call: ClientCall<'verifyOtp'>): Promise<ClientReply<'verifyOtp'>> {
  const { customer_id: uid, otp: given, reference_id } = call.body;
  // Sign first: if signing fails, the one-time password remains unused.
  const token = await client.customerTokens.sign(uid, client.random.hex(16), lifetimeSeconds);
  return client.store.transact((tx) => {
    const customer = tx.get('customers', uid);
    // Same response as for an unknown reference, so that it does not reveal which customers exist.
    if (customer === undefined) return { kind: 'otp_unknown_reference' };
    const found = tx.get('otps', reference_id);
    const otp = found?.uid === uid ? found : undefined;
    const matches = sameSecret(otpDigest(reference_id, given), otp?.digest ?? '');
    const { otp_tries } = client.settings();
    const verdict = verify(otp, matches, customer.attempts, client.clock.now(), otp_tries);
    if (verdict.otp !== undefined) tx.put('otps', reference_id, verdict.otp);
    const signedIn = verdict.failure === undefined;
    // The right code proves the customer's identity, so the count of OP-126 restarts.
    const codes = signedIn && customer.codes !== undefined ? { codes: { ...customer.codes, at: [] } } : {};
    tx.put('customers', uid, { ...customer, attempts: verdict.attempts, ...codes });
    const event = signedIn ? 'otp.verified' : 'otp.refused';
    const detail = { reference_id, ...(verdict.failure !== undefined && { reason: verdict.failure }) };
    client.activity.note(tx, { trace: call.trace, party: 'client', event, uid, detail });
    if (verdict.failure !== undefined) return { kind: verdict.failure };
    return {
      status: 200,
      body: {
        success: true,
        status: 200,
        token,
        token_type: 'Bearer',
        expires_in: lifetimeSeconds,
        points: points(customer.account),
      },
    };
  });
}
