/** Identifies the caller by the Authorization header. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Has } from './mistakes.ts';
import { type Reply, refuse, tokenUnder401 } from './replies.ts';
import type { PartnerSettings } from './settings.ts';
import type { CustomerTokens } from './tokens.ts';

/** The caller: the platform itself, the platform for a customer, or the microsite. */
export type Caller =
  | { readonly kind: 'service' }
  | { readonly kind: 'customer'; readonly uid: string }
  | { readonly kind: 'microsite' };

/** The permitted callers of an operation. `either` accepts a customer's JWT and the service token. */
export type For = 'either' | 'service' | 'microsite';

/** Checks whether the caller may read this customer's data. */
export function mayAsk(caller: Caller, uid: string, has: Has): boolean {
  return caller.kind !== 'customer' || caller.uid === uid || has('other-customers-token');
}

/** Identifies callers by their credentials. */
export class Access {
  readonly #settings: PartnerSettings;
  readonly #tokens: CustomerTokens;
  readonly #has: Has;

  constructor(settings: PartnerSettings, tokens: CustomerTokens, has: Has) {
    this.#settings = settings;
    this.#tokens = tokens;
    this.#has = has;
  }

  /** Returns the caller of an operation, or the refusal. */
  judge(authorization: string | undefined, operation: string, whom: For): Caller | Reply {
    if (whom === 'microsite') return this.#basic(authorization);
    const caller = this.#bearer(authorization);
    if (caller === undefined || !this.#fits(caller, operation, whom)) return this.refused();
    return caller;
  }

  /** Returns the refusal of an invalid token. */
  refused(): Reply {
    return this.#has('token-401') ? tokenUnder401() : refuse('token_invalid', { 'www-authenticate': 'Bearer' });
  }

  #fits(caller: Caller, operation: string, whom: For): boolean {
    if (caller.kind === 'service')
      return !(operation === 'getProfileAndPoints' && this.#has('no-service-token-for-profile'));
    if (whom === 'either') return !(operation === 'saveRedeemDetails' && this.#has('deduct-no-jwt'));
    return this.#has(operation === 'reversePoints' ? 'v2-reverse-customer' : 'jwt-for-service');
  }

  #bearer(authorization: string | undefined): Caller | undefined {
    if (authorization === undefined) return this.#has('no-token') ? { kind: 'service' } : undefined;
    const bearerToken = /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1];
    const token = bearerToken ?? (this.#has('bare-token') ? authorization : undefined);
    if (token === undefined) return undefined;
    const { serviceToken, now } = this.#settings;
    const hasPrefix = this.#has('token-prefix') && token.startsWith(serviceToken);
    if (same(token, serviceToken) || hasPrefix || this.#has('any-token')) return { kind: 'service' };
    const uid = this.#tokens.subject(token, now());
    return uid === undefined || this.#has('jwt-refused') ? undefined : { kind: 'customer', uid };
  }

  #basic(authorization: string | undefined): Caller | Reply {
    const caller = { kind: 'microsite' } as const;
    if (authorization === undefined && this.#has('no-basic')) return caller;
    if (authorization === `Bearer ${this.#settings.serviceToken}` && this.#has('bearer-for-basic')) return caller;
    const text = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
    const [username = '', ...rest] = Buffer.from(text ?? '', 'base64')
      .toString()
      .split(':');
    const { basic } = this.#settings;
    const isUsername = same(username, basic.username) || this.#has('any-username');
    const isPassword = same(rest.join(':'), basic.password) || this.#has('any-password');
    if (text !== undefined && isUsername && isPassword && !this.#has('basic-refused')) return caller;
    if (this.#has('basic-422')) return refuse('token_invalid');
    if (this.#has('basic-500')) return refuse('internal_error');
    return refuse('unauthorized', { 'www-authenticate': 'Basic realm="partner"' });
  }
}

function same(actual: string, expected: string): boolean {
  const [a, b] = [actual, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
