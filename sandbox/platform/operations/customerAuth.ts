import { decodeJwt, errors } from 'jose';
import { sameSecret } from '../../runtime/secrets.ts';
import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';

const lifetimeSeconds = 1800;

/** Opens a customer session once the client has accepted the customer's JWT (OP-04). */
export async function customerAuth(
  platform: Platform,
  call: RewardsCall<'customerAuth'>,
): Promise<RewardsReply<'customerAuth'>> {
  const { uid, token: jwt } = call.body;
  // The platform's own service token is nobody's JWT, although the client takes it on this operation too (OP-17).
  if (sameSecret(jwt, platform.settings().client_token)) return { kind: 'refused_by_client', message: 'Token Invalid' };
  const answer = await platform.client.getProfileAndPoints(uid, call.trace, jwt);
  if (answer.kind === 'refused') return { kind: 'refused_by_client', message: answer.message };
  if (answer.kind === 'no_answer') return { kind: 'client_no_answer' };

  const now = platform.clock.now();
  const seconds = Math.min(lifetimeSeconds, secondsLeft(jwt, now));
  if (seconds < 1) return { kind: 'refused_by_client', message: 'Token Invalid' };
  const id = platform.random.hex(16);
  const token = await platform.customerTokens.sign(uid, id, seconds);
  await platform.store.transact((tx) => {
    tx.put('sessions', id, { uid, jwt, expires: now + seconds * 1000 });
    platform.activity.note(tx, { trace: call.trace, party: 'platform', event: 'session.opened', uid });
  });
  const { profile, points } = answer.body;
  return {
    status: 200,
    body: { success: true, status: 200, token, token_type: 'Bearer', expires_in: seconds, profile, points },
  };
}

/** How long the JWT still lives. The platform cannot check its signature; the client has just vouched for it. */
function secondsLeft(jwt: string, now: number): number {
  try {
    const { exp } = decodeJwt(jwt);
    return exp === undefined ? lifetimeSeconds : Math.floor(exp - now / 1000);
  } catch (error) {
    // A client of one's own may hand out opaque tokens, which tell no end.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return lifetimeSeconds;
    throw error;
  }
}
