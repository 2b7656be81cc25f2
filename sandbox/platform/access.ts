import type { Authenticator, Charge } from '../contract/api.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { inRanges } from '../runtime/address.ts';
import { bareOrBearer, bearer } from '../runtime/secrets.ts';
import type { PlatformCaller } from './calls.ts';
import type { Platform } from './platform.ts';
import { takeFromQuota } from './quota.ts';

/** The authenticators of rewards.yaml: company and customer tokens, bare or as Bearer where that is all (OP-03). */
export function rewardsAuthenticators(platform: Platform): Record<string, Authenticator<PlatformCaller>> {
  const company = async (token: string | undefined): Promise<PlatformCaller | undefined> =>
    (await platform.companyTokens.check(token)) === undefined ? undefined : { kind: 'company' };
  const customer = async (token: string | undefined): Promise<PlatformCaller | undefined> => {
    const claims = await platform.customerTokens.check(token);
    const session = claims && platform.store.get('sessions', claims.jti);
    if (session === undefined || session.uid !== claims?.sub) return undefined;
    return { kind: 'customer', uid: session.uid, jwt: session.jwt };
  };
  return {
    companyToken: (authorization) => company(bareOrBearer(authorization)),
    customerToken: (authorization) => customer(bareOrBearer(authorization)),
    companyBearer: (authorization) => company(bearer(authorization)),
    customerBearer: (authorization) => customer(bearer(authorization)),
  };
}

/** Refuses a server that is not on the allowlist (OP-31). */
export function admit(platform: Platform): (address: string) => PlatformFailure | undefined {
  return (address) => {
    const { allowlist } = platform.settings();
    return allowlist.length === 0 || inRanges(address, allowlist) ? undefined : { kind: 'blocked_server' };
  };
}

/** Takes a call from the company's hourly quota (OP-30). All callers of a workspace belong to its one company. */
export function charge(platform: Platform): () => Promise<Charge<PlatformFailure>> {
  return async () => {
    const { left, seconds, limit, accepted } = await takeFromQuota(platform);
    if (!accepted) return { refusal: { kind: 'rate_limited', retryAfterSeconds: seconds, limit } };
    return { headers: { RateLimit: `"hour";r=${left};t=${seconds}`, 'RateLimit-Policy': `"hour";q=${limit};w=3600` } };
  };
}
