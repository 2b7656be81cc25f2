import { clientSaysNo } from '../../domain/deduction.ts';
import { sameSecret } from '../../runtime/secrets.ts';
import type { GeneralCall, GeneralReply } from '../calls.ts';
import type { Platform } from '../platform.ts';
import { tokenHeaders } from '../token-reply.ts';

const lifetimeSeconds = 3600;

/** Exchanges a customer's uid and the password of the workspace for an access token (F1; OP-28, OP-53). */
export async function login(platform: Platform, call: GeneralCall<'login'>): Promise<GeneralReply<'login'>> {
  const { username, password } = call.body;
  if (!sameSecret(password, platform.generalPassword)) return { kind: 'invalid_login' };
  // As with the company secret: a guess takes nothing away (OP-30).
  const taken = await platform.quota.take();
  if ('kind' in taken) return taken;
  // The client knows who exists. Why it refuses is in the activity log, and no business of whoever guesses names.
  const customer = await platform.client.getProfileAndPoints(username, call.trace);
  if (customer.kind === 'no_answer') return clientSaysNo(customer);
  if (customer.kind === 'refused') return { kind: 'invalid_login' };
  const access_token = await platform.generalTokens.sign(username, platform.random.hex(8), lifetimeSeconds);
  const body = { access_token, token_type: 'Bearer', expires_in: lifetimeSeconds } as const;
  return { status: 200, headers: tokenHeaders(taken), body };
}
