/** Checks before the first requirement that the server responds and knows the customers. Records balances to restore later. */
import { type Answer, fieldsIn, objectIn, pointsIn } from './answer.ts';
import { describeAnswer, isRefusal, isSuccess } from './assertions.ts';
import type { Operations } from './operations.ts';
import type { Partner } from './partner.ts';
import type { ProbeContext } from './probe-context.ts';
import type { Sessions } from './sessions.ts';
import { Blocked, type Input, Interrupted, MissingInput, type Report, returnIf } from './verdict.ts';

/** An error that prevents a run, such as an unreachable server, an unknown customer or too few points. */
export class EnvironmentError extends Error {}

/** Maximum number of attempts for a read-only call, if answers are lost. */
const tries = 2;

/** Returns the error for a customer that the server refuses. */
function refusedAt(uid: string, answer: Answer): EnvironmentError {
  return new EnvironmentError(
    `The server refuses ${uid}: ${describeAnswer(answer)}. Check the customer ID and the service token.`,
  );
}

/** Sends a read-only call, and repeats it once if the answer is lost. Resolves with `undefined` if none arrives in time. */
async function sendWithRetry(send: () => Promise<Answer>, { client_url }: Input): Promise<Answer | undefined> {
  for (let left = tries; left > 0; left -= 1) {
    const answer = await send().catch(returnIf(Blocked));
    if (answer instanceof Blocked) continue;
    const unreachable = `No response from ${client_url} (${answer.detail}). Check that the server is running.`;
    if (answer.problem === 'unreachable') throw new EnvironmentError(unreachable);
    if (answer.status !== undefined || left === 1) return answer;
  }
  return undefined;
}

/** Returns the maximum number of calls to read the accounts, to detect the API versions and to sign in. */
export function callsToBegin({ customers }: Input): number {
  return (customers.length + 1) * tries + callsToCompare + callsToSignIn;
}

/** Number of calls to sign in: one to request a code, and one to use it. */
const callsToSignIn = 2;

/**
 * Resolves with the reason that one-time passwords cannot be read, or with `undefined` if they can. Also `undefined` if the
 * server sends none, which a requirement tests. The requirements reuse the session of this sign-in.
 */
export async function unreadableCodes(sessions: Sessions): Promise<string | undefined> {
  try {
    const { unread } = await sessions.first();
    return unread instanceof MissingInput ? unread.message : undefined;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // A failed sign-in is not cached. The requirements repeat it and report the failure.
    return undefined;
  }
}

/**
 * Reads and records each customer's balance. Rejects with an `EnvironmentError` if the server is unreachable, refuses a
 * customer, or reports too few points for the first one. Other invalid answers do not prevent the run.
 */
export async function begin(operations: Operations, input: Input, balances: OpeningBalances) {
  const { customers, balance: needed = 5000, project_code } = input;
  const api = input.api ?? (await versionsOf(operations, input));
  let projectCode = project_code;
  for (const [at, uid] of customers.entries()) {
    const read = () => (api === 'v2' ? operations.points(uid) : operations.profile(uid));
    const answer = await sendWithRetry(read, input);
    if (answer !== undefined && isRefusal(answer)) throw refusedAt(uid, answer);
    if (answer === undefined || !isSuccess(answer)) continue;
    const code = objectIn(answer, 'profile')?.projectCode;
    if (typeof code === 'string') projectCode ??= code;
    const balance = pointsIn(answer);
    if (!Number.isSafeInteger(balance)) continue;
    if (at === 0 && balance < needed)
      throw new EnvironmentError(`${uid} has ${balance} points, but the run needs ${needed} (--balance).`);
    balances.record(uid, balance);
  }
  return { projectCode: projectCode ?? 'DEMO01', api };
}

/** A path that no server implements. */
const nowhere = '/certify-no-such-path';
/** Number of calls to that path, whose reply identifies unimplemented versions. */
const callsToCompare = 2;

/**
 * Detects the API versions of a server. A version is present if its points operation succeeds, or if the reply differs from
 * that of an unknown path. Rejects with an `EnvironmentError` if neither version is present.
 */
async function versionsOf(operations: Operations, input: Input): Promise<'v1' | 'v2' | 'both'> {
  const [uid = ''] = input.customers;
  const profile = await sendWithRetry(() => operations.profile(uid), input);
  const points = await sendWithRetry(() => operations.points(uid), input);
  const [v1, v2] = [await isServed(profile), await isServed(points)];
  if (v1) return v2 ? 'both' : 'v1';
  if (v2) return 'v2';
  if (profile?.status !== undefined && profile.status !== 404) throw refusedAt(uid, profile);
  throw new EnvironmentError(
    `${input.client_url} does not implement the client API: /getProfileAndPoints returned ${describe(profile)}, /api/v1/customer/points ${describe(points)}. Check the URL of the client API.`,
  );

  async function isServed(answer: Answer | undefined): Promise<boolean> {
    // An unresponsive server is still tested, and fails the requirement for response times.
    if (answer?.status === undefined) return true;
    if (isSuccess(answer) && typeof fieldsIn(answer).points === 'object') return true;
    const other = await sendWithRetry(() => operations.send({ ...answer.call, path: nowhere }), input);
    return other?.status !== answer.status;
  }
}

function describe(answer: Answer | undefined): string {
  return answer === undefined ? 'no response' : describeAnswer(answer);
}

/** Maximum number of calls to restore the balance of a customer, in addition to one for each pending redemption. */
export const mostToRestore = 4;

/** The customers' balances before the run. */
export class OpeningBalances {
  readonly #opening = new Map<string, number>();

  /** Records the opening balance of a customer. */
  record(uid: string, balance: number): void {
    this.#opening.set(uid, balance);
  }

  /**
   * Reverses pending redemptions, then credits or deducts the difference. Ignores refusals by the server. Call `state`
   * afterwards to check whether every balance was restored.
   */
  async restore(probing: ProbeContext, partner: Partner): Promise<void> {
    const v2 = probing.input.api === 'v2';
    const { open, lines } = probing.run;
    partner.left += open.size + lines.size + mostToRestore * this.#opening.size;
    for (const code of open) {
      if (!v2) await probing.operations.update(probing.status(code, 'Rejected'));
      open.delete(code);
    }
    for (const [redeem_code, points] of lines) {
      await probing.operations.reverse({ redeem_code, points, reason: 'The certification restores the balance' });
      lines.delete(redeem_code);
    }
    for (const [uid, opening] of this.#opening) {
      const missing = opening - (await probing.balance(uid));
      if (missing > 0 && !v2) await probing.operations.credit(probing.event(missing, { uid }));
      if (missing < 0) await this.#take(probing, uid, -missing);
    }
    open.clear();
    partner.left = 0;
  }

  /** Returns whether all balances equal the opening balances, or `unknown` if they cannot be read. */
  async state(probing: ProbeContext, partner: Partner): Promise<Report['balances']> {
    if (this.#opening.size === 0) return 'unknown';
    partner.left += this.#opening.size;
    for (const [uid, opening] of this.#opening) {
      const balance = await probing.balance(uid).catch(returnIf(Blocked));
      if (balance !== opening) return balance instanceof Blocked ? 'unknown' : 'not_restored';
    }
    return 'restored';
  }

  /** Permanently deducts surplus points from a customer. */
  async #take(probing: ProbeContext, uid: string, points: number): Promise<void> {
    if (probing.input.api === 'v2') {
      const order = probing.fresh();
      await probing.operations.redeem({ customer_id: uid, order_id: order, redeem_code: order, points });
      return;
    }
    const record = probing.record(points, { uid });
    const answer = await probing.operations.save(record);
    if (isSuccess(answer)) await probing.operations.update(probing.status(record.redeemCode, 'Delivered'));
  }
}
