/** Before the first requirement: whether the server is there, knows the customers, and what they have. */

import type { Answer } from './answer.ts';
import type { Books } from './books.ts';
import { EnvironmentError, refusedAt, tries, twice } from './environment.ts';
import { isRefusal, isSuccess } from './expecting.ts';
import type { Operations } from './operations.ts';
import type { Input } from './verdict.ts';
import { callsToCompare, versionsOf } from './versions.ts';

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
 * Reads what each customer has and notes it in the books. Throws an EnvironmentError where nobody listens, a customer
 * is refused, or the first has too few points. A server that answers in another way than it should is judged.
 */
export async function begin(operations: Operations, input: Input, books: Books): Promise<Beginning> {
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
    books.opens(uid, balance);
  }
  return { projectCode: projectCode ?? 'DEMO01', api };

  async function readAccount(uid: string): Promise<Answer | undefined> {
    const read = () => (api === 'v2' ? operations.points(uid) : operations.profile(uid));
    const answer = await twice(read, input);
    if (answer !== undefined && isRefusal(answer)) throw refusedAt(uid, answer);
    return answer;
  }
}
