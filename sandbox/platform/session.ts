import { decodeJwt, errors } from 'jose';
import type { components } from '../../generated/client/types.ts';
import { draw } from '../runtime/random.ts';
import { sameSecret } from '../runtime/secrets.ts';
import { dropEnded, mostAtOnce } from '../store/pruning.ts';
import type { Tx } from '../store/store.ts';
import type { PlatformBooks } from './books.ts';
import { clientSaysNo } from './deduct.ts';
import type { Platform } from './platform.ts';

const lifetimeSeconds = 1800;
const invalid = { kind: 'refused_by_client', message: 'Token Invalid' } as const;

/** A session that was opened, with what the client told of the customer. */
export interface Opened {
  readonly id: string;
  readonly seconds: number;
  readonly profile: components['schemas']['Profile'];
  readonly points: components['schemas']['Points'];
}

/**
 * Opens a customer session once the client has accepted the customer's JWT (OP-04, OP-34).
 * @param alongside what has to happen in the same transaction; when it answers false, no session is opened
 */
export async function openSession(
  platform: Platform,
  { uid, jwt, trace }: { readonly uid: string; readonly jwt: string; readonly trace: string },
  alongside: (tx: Tx<PlatformBooks>) => boolean = () => true,
): Promise<Opened | ReturnType<typeof clientSaysNo>> {
  // The platform's own service token is nobody's JWT, although the client takes it on this operation too (OP-17).
  if (sameSecret(jwt, platform.settings().client_token)) return invalid;
  const answer = await platform.client.getProfileAndPoints(uid, trace, jwt);
  if (answer.kind !== 'accepted') return clientSaysNo(answer);

  const now = platform.clock.now();
  const seconds = Math.min(lifetimeSeconds, secondsLeft(jwt, now));
  if (seconds < 1) return invalid;
  const id = await platform.store.transact((tx) => {
    if (!alongside(tx)) return undefined;
    const drawn = draw(tx, (random) => random.hex(16));
    tx.add('sessions', drawn, { uid, jwt, expires: now + seconds * 1000 });
    dropEnded(tx, 'sessions', now, mostAtOnce);
    platform.activity.note(tx, { trace, party: 'platform', event: 'session.opened', uid });
    return drawn;
  });
  return id === undefined ? invalid : { id, seconds, ...answer.body };
}

function secondsLeft(jwt: string, now: number): number {
  const end = endOf(jwt);
  return end === undefined ? lifetimeSeconds : Math.floor((end - now) / 1000);
}

/**
 * The instant at which a JWT ends, in milliseconds; undefined where it tells none. The platform cannot check its signature;
 * the client has just vouched for it.
 */
export function endOf(jwt: string): number | undefined {
  try {
    const { exp } = decodeJwt(jwt);
    return typeof exp === 'number' ? Math.min(exp * 1000, Number.MAX_SAFE_INTEGER) : undefined;
  } catch (error) {
    // A client of one's own may hand out opaque tokens, which tell no end.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
