import type { Authenticator } from '../contract/binder.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { inRanges } from '../runtime/address.ts';
import { bareOrBearer, bearer } from '../runtime/secrets.ts';
import type { PlatformCaller } from './handlers.ts';
import type { Platform } from './platform.ts';

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

/** Refuses a server that is not on the allowlist (OP-31), and requests beyond the hourly quota of the company (OP-30). */
export function admission(platform: Platform): (address: string) => Promise<PlatformFailure | undefined> {
  return async (address) => {
    const { allowlist } = platform.settings();
    if (allowlist.length > 0 && !inRanges(address, allowlist)) return { kind: 'blocked_server' };
    return takeFromQuota(platform);
  };
}

const hour = 3600 * 1000;

/**
 * A sliding hour, exact: the n-th accepted request is fine if the one `limit` before it is an hour old. The instants are in
 * the books, so a restart forgets none. Those that no window can reach any more are dropped as new ones come.
 */
function takeFromQuota(platform: Platform): Promise<PlatformFailure | undefined> {
  const limit = platform.settings().rate_limit;
  return platform.store.transact((tx) => {
    const now = platform.clock.now();
    const taken = tx.get('counters', 'accepted') ?? 0;
    const oldest = tx.get('accepted', String(taken - limit));
    if (oldest !== undefined && now - oldest < hour) {
      const retryAfterSeconds = Math.ceil((oldest + hour - now) / 1000);
      return { kind: 'rate_limited', retryAfterSeconds, limit };
    }
    tx.put('counters', 'accepted', taken + 1);
    tx.put('accepted', String(taken), now);
    dropOld(tx, now);
    return undefined;
  });
}

type QuotaTx = Parameters<Parameters<Platform['store']['transact']>[0]>[0];

/** Two are dropped for each that comes, so the list shrinks back after a burst. */
function dropOld(tx: QuotaTx, now: number): void {
  let first = tx.get('counters', 'accepted_first') ?? 0;
  for (let dropped = 0; dropped < 2; dropped += 1) {
    const instant = tx.get('accepted', String(first));
    if (instant === undefined || now - instant < hour) break;
    tx.remove('accepted', String(first));
    first += 1;
  }
  tx.put('counters', 'accepted_first', first);
}
