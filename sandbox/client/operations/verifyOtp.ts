import { points } from '../../domain/ledger.ts';
import { verify } from '../../domain/otp.ts';
import { sameSecret } from '../../runtime/secrets.ts';
import type { ClientCall, ClientReply } from '../calls.ts';
import type { Client } from '../client.ts';
import { otpDigest } from './generateOtp.ts';

const lifetimeSeconds = 1800;

/** Signs a customer in with a one-time password and issues the JWT (D5, D6; OP-18, OP-19). */
export async function verifyOtp(client: Client, call: ClientCall<'verifyOtp'>): Promise<ClientReply<'verifyOtp'>> {
  const { customer_id: uid, otp: given, reference_id } = call.body;
  // Signed before the code is spent, so that a code is never spent on a token that could not be made.
  const token = await client.customerTokens.sign(uid, client.random.hex(16), lifetimeSeconds);
  return client.store.transact((tx) => {
    const customer = tx.get('customers', uid);
    // The same answer as for an unknown reference: nobody learns here which customers exist.
    if (customer === undefined) return { kind: 'otp_unknown_reference' };
    const found = tx.get('otps', reference_id);
    const otp = found?.uid === uid ? found : undefined;
    const matches = sameSecret(otpDigest(reference_id, given), otp?.digest ?? '');
    const verdict = verify(otp, matches, customer.attempts, client.clock.now());
    if (verdict.otp !== undefined) tx.put('otps', reference_id, verdict.otp);
    const signedIn = verdict.failure === undefined;
    // Whoever has the code is the customer: the count of OP-126 begins anew.
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
