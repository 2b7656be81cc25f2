import { sameSecret } from '../../runtime/secrets.ts';
import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';
import { tokenHeaders } from '../token-reply.ts';

const lifetimeSeconds = 3600;

/** Exchanges the company secret for a company token (OP-02). */
export async function companyAuth(
  platform: Platform,
  call: RewardsCall<'companyAuth'>,
): Promise<RewardsReply<'companyAuth'>> {
  if (!sameSecret(call.body.secret, platform.companySecret)) return { kind: 'invalid_secret' };
  // Who holds the secret holds the key that the quota is for; a guess at it takes nothing away (OP-30).
  const taken = await platform.quota.take();
  if ('kind' in taken) return taken;
  const token = await platform.companyTokens.sign(platform.projectCode, platform.random.hex(8), lifetimeSeconds);
  return {
    status: 200,
    headers: tokenHeaders(taken),
    body: { success: true, status: 200, token, token_type: 'Bearer', expires_in: lifetimeSeconds },
  };
}
