/** Workspace credentials that replace the recorded ones. */

import { header } from '../conformance/exchange.ts';
import { jsonOf } from '../conformance/statements/parsed-exchange.ts';
import { getOrCreate } from '../runtime/caches.ts';
import { type Clients, dataOf } from '../testing/workspace.ts';
import { customerOf, isAccepted, leavesOf, type RecordedCall } from './call.ts';

/** Operations whose reply contains a token, with the kind of the token. */
const issuers = {
  companyAuth: 'company',
  customerAuth: 'session',
  verifyOtp: 'jwt',
  login: 'access',
} as const;
type Kind = (typeof issuers)[keyof typeof issuers];

/** Minimum length of a recorded token, in characters. */
const leastCharacters = 8;

/** Signs in to a workspace as the recorded callers did, and tracks the owner of each recorded token. */
export class Credentials {
  readonly #workspace: Clients;
  /** The kind of each recorded token, and the customer who owns it. */
  readonly #owners = new Map<string, { readonly kind: Kind; readonly uid: string }>();
  /** Recorded credentials of accepted calls. */
  readonly #accepted = new Set<string>();
  readonly #tokens = new Map<string, Promise<string>>();

  constructor(workspace: Clients, calls: readonly RecordedCall[]) {
    this.#workspace = workspace;
    for (const call of calls.filter(isAccepted)) {
      this.#accepted.add(credentialOf(call) ?? '');
      const kind = issuers[call.operation.operationId as keyof typeof issuers];
      if (kind === undefined) continue;
      for (const { value } of leavesOf(jsonOf(call.reply)))
        if (typeof value === 'string' && value.length >= leastCharacters)
          this.#owners.set(value, { kind, uid: customerOf(call) ?? '' });
    }
  }

  /** Discards the cached workspace tokens after they have expired. */
  expire(): void {
    this.#tokens.clear();
  }

  /**
   * Resolves with the Authorization header for a call, or with a null `value` if the call sends none. Resolves with the reason in
   * `why` if the call cannot be repeated because its credential is unknown or had expired.
   */
  async authorization(call: RecordedCall): Promise<{ readonly value: string | null } | { readonly why: string }> {
    const { exchange, operation, reply } = call;
    const recorded = header(exchange.request.headers, 'authorization');
    const { security } = operation;
    if (security.length === 0) return { value: null };
    const raw = credentialOf(call) ?? '';
    const isHidden = exchange.request.headers === undefined || raw.includes('***');
    const isValid = isAccepted(call) || this.#accepted.has(raw) || this.#owners.has(raw);
    if (!isAccepted(call) && isHidden) return { why: 'the recording does not have the credential of a refused call' };
    if (!isValid) return { value: recorded ?? null };
    if (reply.status === 401 && this.#owners.has(raw)) return { why: 'its token had expired' };
    const token = await this.#stand(call, raw);
    if (token === undefined) return { why: 'its credential is from before the recording' };
    if (token.startsWith('Basic ')) return { value: token };
    const isBearer =
      recorded === undefined || isHidden
        ? security.some((name) => /bearer|jwt|service|access/i.test(name))
        : /^bearer\s/i.test(recorded);
    return { value: isBearer ? `Bearer ${token}` : token };
  }

  /** Resolves with the workspace credential that replaces a recorded one. */
  async #stand(call: RecordedCall, recorded: string): Promise<string | undefined> {
    const { security } = call.operation;
    const owner = this.#owners.get(recorded);
    const { service_token, basic } = this.#workspace.credentials;
    if (security.includes('basic'))
      return `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
    if (owner !== undefined) return this.token(owner.kind, customerOf(call) ?? owner.uid);
    if (security.includes('serviceToken')) return service_token;
    if (security.some((name) => name.startsWith('company'))) return this.token('company', '');
    return undefined;
  }

  /** Resolves with a workspace token, which is requested only once. */
  token(kind: Kind, uid: string): Promise<string> {
    return getOrCreate(this.#tokens, `${kind} ${uid}`, () => this.#issue(kind, uid));
  }

  async #issue(kind: Kind, uid: string): Promise<string> {
    const { auth, rewards, general, credentials } = this.#workspace;
    if (kind === 'company')
      return dataOf(await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } })).token;
    if (kind === 'access') {
      const body = { username: uid, password: credentials.general.password };
      return dataOf(await general().POST('/v1/auth/login', { body })).access_token;
    }
    if (kind === 'session') {
      const body = { uid, token: await this.token('jwt', uid) };
      return dataOf(await rewards(await this.token('company', '')).POST('/v1/customer/auth', { body })).token;
    }
    const customer = { customer_id: uid };
    const { reference_id } = dataOf(await auth.POST('/api/v1/auth/generate-otp', { body: customer }));
    const body = { ...customer, otp: await this.otp(uid), reference_id };
    return dataOf(await auth.POST('/api/v1/auth/verify-otp', { body })).token;
  }

  /** Resolves with the most recent one-time password of a customer, or an empty string if there is none. */
  async otp(uid: string): Promise<string> {
    const { items } = dataOf(await this.#workspace.control.GET('/messages', { params: { query: { uid } } }));
    return items[0]?.otp ?? '';
  }
}

/** Returns the recorded credential of a call, without its scheme. */
function credentialOf({ exchange }: RecordedCall): string | undefined {
  return header(exchange.request.headers, 'authorization')?.replace(/^(?:bearer|basic)\s+/i, '');
}
