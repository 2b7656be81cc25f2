import { clientSaysNo } from '../../domain/order.ts';
import type { GeneralHandlers } from '../access.ts';

/** Returns the user's current profile and points from the client (F2, OP-28). */
export const getUserProfile: GeneralHandlers['getUserProfile'] = async (platform, call) => {
  const answer = await platform.client.getProfileAndPoints(call.caller.uid, call.trace);
  return answer.kind === 'accepted' ? { status: 200, body: answer.body } : clientSaysNo(answer);
};
