import { clientSaysNo } from '../../domain/order.ts';
import type { GeneralCall, GeneralReply } from '../access.ts';
import type { Platform } from '../platform.ts';

/** Returns the user's current profile and points from the client (F2, OP-28). */
export async function getUserProfile(
  platform: Platform,
  call: GeneralCall<'getUserProfile'>,
): Promise<GeneralReply<'getUserProfile'>> {
  const answer = await platform.client.getProfileAndPoints(call.caller.uid, call.trace);
  return answer.kind === 'accepted' ? { status: 200, body: answer.body } : clientSaysNo(answer);
}
