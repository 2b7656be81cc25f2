import { clientTable } from '../contract/failure-tables.ts';
import { clientSaysNo } from '../domain/order.ts';
import { digest, sameSecret, unverifiedPart } from '../runtime/tokens.ts';
import { dropEnded, mostAtOnce } from '../store/pruning.ts';
import { readAndCompare } from './balances.ts';
import type { PlatformTx } from './collections.ts';
import { type Platform, platformIssuer } from './platform.ts';

const invalid = { kind: 'refused_by_client', message: clientTable.token_invalid.message } as const;

/**
 * Opens a customer session if the client accepts the customer's JWT (OP-04, OP-34). Returns it with the profile and points
 * that the client returned.
 * @param idIn returns the key of the new session, in the transaction that opens it; `undefined` to open none
 */
export async function openSession(
  platform: Platform,
  given: { readonly uid: string; readonly jwt: string; readonly trace: string },
  idIn: (tx: PlatformTx) => string | undefined,
) {
  const { uid, jwt, trace } = given;
  // The client also accepts the platform's own service token, but it is not a customer's JWT (OP-17).
  const { client_token, session_lifetime } = platform.settings();
  if (sameSecret(jwt, client_token)) return invalid;
  const ask = () => platform.client.getProfileAndPoints(uid, trace, jwt);
  const answer = await readAndCompare(platform, { uid, version: 'v1' }, ask);
  if (answer.kind !== 'accepted') return clientSaysNo(answer);

  const now = platform.clock.now();
  const seconds = Math.min(session_lifetime, secondsLeft(jwt, now));
  if (seconds < 1) return invalid;
  const id = await platform.store.transact((tx) => {
    const drawn = idIn(tx);
    if (drawn === undefined) return undefined;
    tx.add('sessions', drawn, { uid, jwt, expires: now + seconds * 1000 });
    dropEnded(tx, 'sessions', now, mostAtOnce);
    platform.activity.note(tx, { trace, party: 'platform', event: 'session.opened', uid });
    return drawn;
  });
  return id === undefined ? invalid : { id, seconds, ...answer.body };
}

/**
 * Returns the session of a JWT: the stored one, or a new one if the client accepts the JWT (T2, OP-120). Returns
 * `undefined` if the JWT is invalid, and the failure if the client does not respond.
 */
export async function sessionOf(platform: Platform, jwt: string, trace: string) {
  const id = `jwt ${digest(jwt)}`;
  const now = platform.clock.now();
  const stored = platform.store.get('sessions', id);
  if (stored !== undefined && stored.expires > now) return stored;
  const { uid, iss } = claimsOf(jwt);
  // An expired JWT or one issued by the platform identifies no caller.
  if (uid === undefined || iss === platformIssuer || secondsLeft(jwt, now) < 1) return undefined;
  const opened = await openSession(platform, { uid, jwt, trace }, (tx) => {
    tx.remove('sessions', id);
    return id;
  });
  if (!('kind' in opened)) return { uid, jwt };
  return opened.kind === 'client_no_answer' ? opened : undefined;
}

/** Returns `Infinity` if the JWT has no expiry. */
function secondsLeft(jwt: string, now: number): number {
  const end = endOf(jwt);
  return end === undefined ? Number.POSITIVE_INFINITY : Math.floor((end - now) / 1000);
}

/** Returns the expiry of a JWT in milliseconds; `undefined` if it has none. */
export function endOf(jwt: string): number | undefined {
  const { exp } = claimsOf(jwt);
  return exp === undefined ? undefined : Math.min(exp * 1000, Number.MAX_SAFE_INTEGER);
}

/** Returns the claims of a JWT. The platform cannot verify the signature, so the client must accept the token. */
function claimsOf(jwt: string) {
  // A partner's own server may issue opaque tokens, which have no readable claims.
  const { sub, iss, exp } = unverifiedPart(jwt, 'claims') ?? {};
  const uid = typeof sub === 'string' && sub !== '' ? sub : undefined;
  return { uid, iss, exp: typeof exp === 'number' ? exp : undefined };
}
