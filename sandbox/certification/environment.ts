/** Harmless calls before a run begins, and why there can be none. */
import type { Answer } from './answer.ts';
import { describeAnswer } from './assertions.ts';
import { Blocked, type Input } from './verdict.ts';

/** The run cannot begin, and the requirements are not to blame: no server, no such customer, too few points. */
export class EnvironmentError extends Error {}

/** How often a harmless call is sent, where an answer is lost. */
export const tries = 2;

/** Why no run can begin where the server refuses a customer. */
export function refusedAt(uid: string, answer: Answer): EnvironmentError {
  return new EnvironmentError(
    `The server refuses ${uid}: ${describeAnswer(answer)}. Check the customer ID and the service token.`,
  );
}

/** The response to a read-only call, which is repeated once if it is lost; undefined if none came in time. */
export async function twice(send: () => Promise<Answer>, { client_url }: Input): Promise<Answer | undefined> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      const answer = await send();
      if (answer.problem === 'unreachable')
        throw new EnvironmentError(
          `No response from ${client_url} (${answer.detail}). Check that the server is running.`,
        );
      if (answer.status !== undefined || left === 1) return answer;
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
    }
  }
  return undefined;
}
