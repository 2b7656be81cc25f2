import { type Quota, rateLimitHeaders } from '../../contract/envelopes.ts';
import { clientSaysNo } from '../../domain/order.ts';
import { draw } from '../../runtime/ids.ts';
import { sameSecret } from '../../runtime/tokens.ts';
import type { GeneralCall, GeneralReply, RewardsCall, RewardsReply } from '../access.ts';
import type { PlatformTx } from '../collections.ts';
import type { Platform } from '../platform.ts';
import { openSession } from '../session.ts';

/** Lifetime of an access token of the general API, in seconds (OP-28). */
const lifetimeSeconds = 3600;

/** Exchanges the company secret for a company token (OP-02). */
export async function companyAuth(
  platform: Platform,
  call: RewardsCall<'companyAuth'>,
): Promise<RewardsReply<'companyAuth'>> {
  if (!sameSecret(call.body.secret, platform.companySecret)) return { kind: 'invalid_secret' };
  // Only a correct secret uses the quota; a wrong guess costs nothing (OP-30).
  const quota = await platform.quota.take();
  if ('kind' in quota) return quota;
  const { company_token_lifetime: expires_in } = platform.settings();
  const token = await platform.companyTokens.sign(platform.projectCode, platform.random.hex(8), expires_in);
  return {
    status: 200,
    headers: tokenHeaders(quota),
    body: { success: true, status: 200, token, token_type: 'Bearer', expires_in },
  };
}

/** Opens a customer session if the client accepts the customer's JWT (OP-04). */
export async function customerAuth(
  platform: Platform,
  call: RewardsCall<'customerAuth'>,
): Promise<RewardsReply<'customerAuth'>> {
  const { uid, token: jwt } = call.body;
  const drawn = (tx: PlatformTx) => draw(tx, (random) => random.hex(16));
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

/** Exchanges a customer's uid and the workspace password for an access token (F1; OP-28, OP-53). */
export async function login(platform: Platform, call: GeneralCall<'login'>): Promise<GeneralReply<'login'>> {
  const { username, password } = call.body;
  if (!sameSecret(password, platform.generalPassword)) return { kind: 'invalid_login' };
  // As with the company secret, a wrong guess costs nothing (OP-30).
  const quota = await platform.quota.take();
  if ('kind' in quota) return quota;
  // The client knows which customers exist. Its reason is only in the activity log, because a caller who guesses names must not learn it.
  const customer = await platform.client.getProfileAndPoints(username, call.trace);
  if (customer.kind === 'no_answer') return clientSaysNo(customer);
  if (customer.kind === 'refused') return { kind: 'invalid_login' };
  const access_token = await platform.generalTokens.sign(username, platform.random.hex(8), lifetimeSeconds);
  const body = { access_token, token_type: 'Bearer', expires_in: lifetimeSeconds } as const;
  return { status: 200, headers: tokenHeaders(quota), body };
}

/** Returns the headers of a token response. They forbid caching and, if the call was counted, show the remaining quota (OP-30, OP-137). */
function tokenHeaders(quota?: Quota): Readonly<Record<string, string>> {
  return { 'Cache-Control': 'no-store', ...(quota && rateLimitHeaders(quota)) };
}
