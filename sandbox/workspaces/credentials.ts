import type { IncomingHttpHeaders } from 'node:http';
import type { Meta } from '../assembly/collections.ts';
import { secretsOf } from '../assembly/settings.ts';
import { ownCallHeader } from '../runtime/caller.ts';
import { bareOrBearer, basic, digest, isSignedBy, unverifiedPart } from '../runtime/tokens.ts';

/** Maximum number of cached tokens, and maximum length of each, in characters. */
const mostNamed = { tokens: 1000, characters: 1024 };

/** Digests that identify secrets. No secret can be derived from a digest. */
export interface SecretDigests {
  readonly secrets: readonly string[];
  /** The digest of the secret in a workspace's calls to itself. */
  readonly ownCalls: string;
}

/** Returns the digests of a workspace's secrets. */
export function digestsOf({ root, adminToken }: Pick<Meta, 'root' | 'adminToken'>): SecretDigests {
  const { companySecret, serviceToken, basic: microsite, general, gatewayToken, ownCalls, ...pages } = secretsOf(root);
  const secrets = [adminToken, companySecret, serviceToken, microsite.password, general.password, gatewayToken];
  return {
    secrets: [...secrets, pages.addressKey, pages.pagePlace].map(digest),
    ownCalls: digest(ownCalls),
  };
}

interface Entry {
  readonly id: string;
  readonly digests: SecretDigests;
  readonly tokenKeys: readonly Uint8Array[];
}

/** Returns the keys with which a workspace signs its tokens. */
export function tokenKeysOf({ root }: Pick<Meta, 'root'>): readonly Uint8Array[] {
  const { companyKey, customerKey, jwtKey, generalKey } = secretsOf(root);
  return [companyKey, customerKey, jwtKey, generalKey];
}

/**
 * A lookup of owners by credential (OP-63). Secrets are looked up by digest. A token resolves to the workspace that it
 * names, after its signature has been checked. That workspace checks the content and the expiry of the token.
 */
export class Credentials<T> {
  readonly #entries = new Map<T, Entry>();
  readonly #bySecret = new Map<string, T>();
  readonly #byId = new Map<string, T>();
  readonly #byOwnCalls = new Map<string, T>();
  /** Owners by the text of a token, so that each token is parsed only once. Contains no secrets. */
  readonly #byToken = new Map<string, T>();

  /** Registers `owner` under the id in its tokens, its secrets, and the header of its calls to itself. */
  add(owner: T, id: string, { secrets, ownCalls }: SecretDigests, tokenKeys: readonly Uint8Array[] = []): void {
    this.#byToken.clear();
    this.#entries.set(owner, { id, digests: { secrets, ownCalls }, tokenKeys });
    this.#byId.set(id, owner);
    this.#byOwnCalls.set(ownCalls, owner);
    for (const secret of secrets) this.#bySecret.set(secret, owner);
  }

  remove(owner: T): void {
    const entry = this.#entries.get(owner);
    if (entry === undefined) return;
    this.#entries.delete(owner);
    this.#byToken.clear();
    // Another owner may have registered the same key meanwhile.
    const drop = (map: Map<string, T>, key: string) => map.get(key) === owner && map.delete(key);
    drop(this.#byId, entry.id);
    drop(this.#byOwnCalls, entry.digests.ownCalls);
    for (const secret of entry.digests.secrets) drop(this.#bySecret, secret);
  }

  /** The number of cached tokens. */
  get remembered(): number {
    return this.#byToken.size;
  }

  /** Returns the owner of a secret or a signed token. */
  findByCredential(credential: string): T | undefined {
    const cached = this.#byToken.get(credential);
    if (cached !== undefined) return cached;
    const workspace = namedBy(credential);
    if (workspace === undefined) return this.#bySecret.get(digest(credential));
    const owner = this.#byId.get(workspace);
    if (owner === undefined || !isSignedBy(this.#entries.get(owner)?.tokenKeys ?? [], credential)) return undefined;
    this.#remember(credential, owner);
    return owner;
  }

  /** Returns the workspace that calls itself, or undefined for any other call. */
  findOwnCaller(headers: IncomingHttpHeaders): T | undefined {
    const own = headers[ownCallHeader];
    return typeof own === 'string' ? this.#byOwnCalls.get(digest(own)) : undefined;
  }

  /** Returns the owner of the credential in these headers. */
  findByHeaders(headers: IncomingHttpHeaders): T | undefined {
    // A workspace's call to itself belongs to that workspace, whatever credential the call forwards.
    if (headers[ownCallHeader] !== undefined) return this.findOwnCaller(headers);
    const credential = credentialInHeaders(headers);
    return credential === undefined ? undefined : this.findByCredential(credential);
  }

  #remember(token: string, owner: T): void {
    if (token.length > mostNamed.characters) return;
    this.#byToken.set(token, owner);
    const [oldest = ''] = this.#byToken.keys();
    if (this.#byToken.size > mostNamed.tokens) this.#byToken.delete(oldest);
  }
}

/** Returns the credential in these headers. */
export function credentialInHeaders({ authorization }: IncomingHttpHeaders): string | undefined {
  return basic(authorization)?.password ?? bareOrBearer(authorization);
}

/** The format of workspace ids. */
const workspaceId = /^(demo|ws_[0-9a-f]{16})$/;

/**
 * Returns the workspace that the header of a token names, whether or not it signed the token. If the text names none,
 * returns undefined.
 */
export function namedBy(token: string): string | undefined {
  const kid = unverifiedPart(token, 'header')?.kid;
  return typeof kid === 'string' && workspaceId.test(kid) ? kid : undefined;
}
