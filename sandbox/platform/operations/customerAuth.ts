import { draw } from '../../runtime/random.ts';
import type { Tx } from '../../store/store.ts';
import type { PlatformBooks } from '../books.ts';
import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';
import { openSession } from '../session.ts';
import { tokenHeaders } from '../token-reply.ts';

/** Opens a customer session once the client has accepted the customer's JWT (OP-04). */
export async function customerAuth(
  platform: Platform,
  call: RewardsCall<'customerAuth'>,
): Promise<RewardsReply<'customerAuth'>> {
  const { uid, token: jwt } = call.body;
  const drawn = (tx: Tx<PlatformBooks>) => draw(tx, (random) => random.hex(16));
  const opened = await openSession(platform, { uid, jwt, trace: call.trace }, drawn);
  if ('kind' in opened) return opened;
  const { id, seconds, profile, points } = opened;
  const token = await platform.customerTokens.sign(uid, id, seconds);
  return {
    status: 200,
    headers: tokenHeaders(),
    body: { success: true, status: 200, token, token_type: 'Bearer', expires_in: seconds, profile, points },
  };
}
