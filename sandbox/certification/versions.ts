/** Which versions of the API a server has, found out by a harmless call to each. */
import type { Answer } from './answer.ts';
import { EnvironmentError, refusedAt, twice } from './environment.ts';
import { isSuccess, wordsOf } from './expecting.ts';
import type { Operations } from './operations.ts';
import type { Input } from './verdict.ts';

/** A path that no server has. */
const nowhere = '/certify-no-such-path';
/** Calls to such a path: what is answered there is no version of the API. */
export const callsToCompare = 2;

/**
 * The versions that a server has: those whose reading of points it carries out, or answers otherwise than a path that it
 * does not have. Rejects with an EnvironmentError where it has neither.
 */
export async function versionsOf(operations: Operations, input: Input): Promise<'v1' | 'v2' | 'both'> {
  const [uid = ''] = input.customers;
  const profile = await twice(() => operations.profile(uid), input);
  const points = await twice(() => operations.points(uid), input);
  const [v1, v2] = [await isServed(profile), await isServed(points)];
  if (v1) return v2 ? 'both' : 'v1';
  if (v2) return 'v2';
  if (profile?.status !== undefined && profile.status !== 404) throw refusedAt(uid, profile);
  throw new EnvironmentError(
    `${input.client_url} does not implement the client API: /getProfileAndPoints returned ${describe(profile)}, /api/v1/customer/points ${describe(points)}. Check the URL of the client API.`,
  );

  async function isServed(answer: Answer | undefined): Promise<boolean> {
    // What is silent is judged: the requirement about time fails.
    if (answer?.status === undefined) return true;
    const body = answer.json as { points?: unknown } | null | undefined;
    if (isSuccess(answer) && typeof body?.points === 'object') return true;
    const other = await twice(() => operations.send({ ...answer.call, path: nowhere }), input);
    return other?.status !== answer.status;
  }
}

function describe(answer: Answer | undefined): string {
  return answer === undefined ? 'no response' : wordsOf(answer);
}
