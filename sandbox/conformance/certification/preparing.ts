/** Before the first requirement: whether the server is there, knows the customers, and what they have. */

import type { Answer } from './answer.ts';
import type { Books } from './books.ts';
import { isRefusal, isSuccess, wordsOf } from './expecting.ts';
import type { Operations } from './operations.ts';
import { Blocked, type Input } from './verdict.ts';

/** The run cannot begin, and the requirements are not to blame: no server, no such customer, too few points. */
export class EnvironmentError extends Error {}

/** How often a customer is asked for, where an answer is lost. */
const tries = 2;

/** Calls that it takes at most. */
export function callsToBegin({ customers }: Input): number {
  return customers.length * tries;
}

/** What a run begins with. */
export interface Beginning {
  readonly projectCode: string;
}

/**
 * Reads what each customer has and notes it in the books. Throws an EnvironmentError where nobody listens, a customer
 * is refused, or the first has too few points. A server that answers in another way than it should is judged.
 */
export async function begin(operations: Operations, input: Input, books: Books): Promise<Beginning> {
  const { api = 'v1', customers, balance: needed = 5000, project_code } = input;
  let projectCode = project_code;
  for (const [at, uid] of customers.entries()) {
    const answer = await asked(uid);
    if (answer === undefined || answer.status === undefined || !isSuccess(answer)) continue;
    const { profile, points } = (answer.json ?? {}) as Partial<Record<'profile' | 'points', Record<string, unknown>>>;
    if (typeof profile?.projectCode === 'string') projectCode ??= profile.projectCode;
    const balance = Number(points?.balance ?? Number.NaN);
    if (!Number.isSafeInteger(balance)) continue;
    if (at === 0 && balance < needed)
      throw new EnvironmentError(`${uid} has ${balance} points, and ${needed} are needed (--balance).`);
    books.opens(uid, balance);
  }
  return { projectCode: projectCode ?? 'DEMO01' };

  async function asked(uid: string): Promise<Answer | undefined> {
    for (let left = tries; left > 1; left -= 1) {
      const answer = await once(uid);
      if (answer?.status !== undefined) return answer;
    }
    return once(uid);
  }

  async function once(uid: string): Promise<Answer | undefined> {
    try {
      const answer = await (api === 'v2' ? operations.points(uid) : operations.profile(uid));
      if (answer.problem === 'unreachable')
        throw new EnvironmentError(`Nobody answers at ${input.client_url} (${answer.detail}). Is the server started?`);
      if (isRefusal(answer))
        throw new EnvironmentError(
          `The server refuses ${uid}: ${wordsOf(answer)}. Does it know the customer, and is the service token its own?`,
        );
      return answer;
    } catch (error) {
      if (error instanceof Blocked) return undefined;
      throw error;
    }
  }
}
