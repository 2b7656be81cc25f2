import type { IncomingHttpHeaders } from 'node:http';
import type { Meta } from '../assembly/collections.ts';
import { secretsOf } from '../assembly/settings.ts';
import { ownCallHeader } from '../runtime/caller.ts';
import { bareOrBearer, basic, digest, isSignedBy, unverifiedPart } from '../runtime/tokens.ts';

/** Most tokens of which it is remembered whom they name, and the longest of them. */
const mostNamed = { tokens: 1000, characters: 1024 };

/** Digests that identify secrets: no secret can be derived from one. */
export interface SecretDigests {
  readonly secrets: readonly string[];
  /** Of what its calls to itself carry. */
  readonly ownCalls: string;
}

/** The digests of a workspace's secrets. */
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

/** The keys that a workspace signs its tokens with. They stay in memory. */
export function tokenKeysOf({ root }: Pick<Meta, 'root'>): readonly Uint8Array[] {
  const { companyKey, customerKey, jwtKey, generalKey } = secretsOf(root);
  return [companyKey, customerKey, jwtKey, generalKey];
}

/**
 * Whose credential this is (OP-63). Secrets are looked up by digest. A token leads to the workspace that it names once its
 * signature has been checked; what it says, and whether it has expired, is decided there.
 */
export class Credentials<T> {
  readonly #entries = new Map<T, Entry>();
  readonly #bySecret = new Map<string, T>();
  readonly #byId = new Map<string, T>();
  readonly #byOwnCalls = new Map<string, T>();
  /** By the text of a token: whom it names is read once. Secrets are not among them. */
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
    // Another owner may have registered the same key in the meantime.
    const drop = (map: Map<string, T>, key: string) => map.get(key) === owner && map.delete(key);
    drop(this.#byId, entry.id);
    drop(this.#byOwnCalls, entry.digests.ownCalls);
    for (const secret of entry.digests.secrets) drop(this.#bySecret, secret);
  }

  /** How many tokens are remembered. */
  get remembered(): number {
    return this.#byToken.size;
  }

  /** The owner of a secret or signed token in a body or a query. */
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

  /** Who calls itself; undefined for a call that comes from elsewhere. */
  findOwnCaller(headers: IncomingHttpHeaders): T | undefined {
    const own = headers[ownCallHeader];
    return typeof own === 'string' ? this.#byOwnCalls.get(digest(own)) : undefined;
  }

  /** The owner of what the headers carry. */
  findByHeaders(headers: IncomingHttpHeaders): T | undefined {
    // A workspace's call to itself stays with it, whatever credential it passes on.
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

/** The credential that headers carry. */
export function credentialInHeaders({ authorization }: IncomingHttpHeaders): string | undefined {
  return basic(authorization)?.password ?? bareOrBearer(authorization);
}

/** How ids of workspaces look. */
const workspaceId = /^(demo|ws_[0-9a-f]{16})$/;

/** The workspace that the header of a token names, whether or not it signed the token; undefined if the text names none. */
export function namedBy(token: string): string | undefined {
  const kid = unverifiedPart(token, 'header')?.kid;
  return typeof kid === 'string' && workspaceId.test(kid) ? kid : undefined;
}
