/** Before the first requirement: whether the server is there, knows the customers, and what they have. */

import type { Answer } from './answer.ts';
import { describeAnswer, isRefusal, isSuccess } from './assertions.ts';
import { EnvironmentError, refusedAt, tries, twice } from './environment.ts';
import type { OpeningBalances } from './opening-balances.ts';
import type { Operations } from './operations.ts';
import type { Input } from './verdict.ts';

/** Calls that it takes at most: for each customer, and to find out which versions the server has. */
export function callsToBegin({ customers }: Input): number {
  return (customers.length + 1) * tries + callsToCompare;
}

/** What a run begins with. */
export interface Beginning {
  readonly projectCode: string;
  /** The versions to judge. */
  readonly api: 'v1' | 'v2' | 'both';
}

/**
 * Reads what each customer has and notes it in the balances. Throws an EnvironmentError where nobody listens, a customer
 * is refused, or the first has too few points. A server that answers in another way than it should is judged.
 */
export async function begin(operations: Operations, input: Input, balances: OpeningBalances): Promise<Beginning> {
  const { customers, balance: needed = 5000, project_code } = input;
  const api = input.api ?? (await versionsOf(operations, input));
  let projectCode = project_code;
  for (const [at, uid] of customers.entries()) {
    const answer = await readAccount(uid);
    if (answer === undefined || answer.status === undefined || !isSuccess(answer)) continue;
    const { profile, points } = (answer.json ?? {}) as Partial<Record<'profile' | 'points', Record<string, unknown>>>;
    if (typeof profile?.projectCode === 'string') projectCode ??= profile.projectCode;
    const balance = Number(points?.balance ?? Number.NaN);
    if (!Number.isSafeInteger(balance)) continue;
    if (at === 0 && balance < needed)
      throw new EnvironmentError(`${uid} has ${balance} points, but the run needs ${needed} (--balance).`);
    balances.opens(uid, balance);
  }
  return { projectCode: projectCode ?? 'DEMO01', api };

  async function readAccount(uid: string): Promise<Answer | undefined> {
    const read = () => (api === 'v2' ? operations.points(uid) : operations.profile(uid));
    const answer = await twice(read, input);
    if (answer !== undefined && isRefusal(answer)) throw refusedAt(uid, answer);
    return answer;
  }
}

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
    // A server that does not respond is judged: the requirement about response time fails.
    if (answer?.status === undefined) return true;
    const body = answer.json as { points?: unknown } | null | undefined;
    if (isSuccess(answer) && typeof body?.points === 'object') return true;
    const other = await twice(() => operations.send({ ...answer.call, path: nowhere }), input);
    return other?.status !== answer.status;
  }
}

function describe(answer: Answer | undefined): string {
  return answer === undefined ? 'no response' : describeAnswer(answer);
}
