/** Before the first requirement: whether the server is there, knows the customers, and what balances they have, which the run restores. */
import { type Answer, jsonOf, pointsIn } from './answer.ts';
import { describeAnswer, isRefusal, isSuccess } from './assertions.ts';
import type { Operations } from './operations.ts';
import type { Partner } from './partner.ts';
import type { ProbeContext } from './probe-context.ts';
import type { Sessions } from './sessions.ts';
import { Blocked, type Input, Interrupted, MissingInput, type Report } from './verdict.ts';

/** The run cannot begin, and the requirements are not to blame: no server, no such customer, too few points. */
export class EnvironmentError extends Error {}

/** How often a harmless call is sent, where an answer is lost. */
const tries = 2;

/** Why no run can begin where the server refuses a customer. */
function refusedAt(uid: string, answer: Answer): EnvironmentError {
  return new EnvironmentError(
    `The server refuses ${uid}: ${describeAnswer(answer)}. Check the customer ID and the service token.`,
  );
}

/** The response to a read-only call, which is repeated once if it is lost; undefined if none came in time. */
async function twice(send: () => Promise<Answer>, { client_url }: Input): Promise<Answer | undefined> {
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

/** Calls that it takes at most: for each customer, to find out which versions the server has, and to sign in. */
export function callsToBegin({ customers }: Input): number {
  return (customers.length + 1) * tries + callsToCompare + callsToSignIn;
}

/** A code is requested, and used. */
const callsToSignIn = 2;

/**
 * Why one-time passwords cannot be read; undefined if they can, or where the server gives none, which is tested. The
 * sign-in that shows it is the one that the requirements use.
 */
export async function unreadableCodes(
  sessions: Sessions,
  { customers: [uid = ''] }: Input,
): Promise<string | undefined> {
  try {
    const { unread } = await sessions.first(uid);
    return unread instanceof MissingInput ? unread.message : undefined;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // Nothing of a sign-in that failed is kept: the requirements meet the same, and report it.
    return undefined;
  }
}

/** What a run begins with. */
interface Beginning {
  readonly projectCode: string;
  /** The versions to judge. */
  readonly api: 'v1' | 'v2' | 'both';
}

/**
 * Reads each customer's balance and records it. Throws an EnvironmentError if nothing listens, a customer
 * is refused, or the first has too few points. A server that answers in another way than it should is tested.
 */
export async function begin(operations: Operations, input: Input, balances: OpeningBalances): Promise<Beginning> {
  const { customers, balance: needed = 5000, project_code } = input;
  const api = input.api ?? (await versionsOf(operations, input));
  let projectCode = project_code;
  for (const [at, uid] of customers.entries()) {
    const answer = await readAccount(uid);
    if (answer === undefined || answer.status === undefined || !isSuccess(answer)) continue;
    const { profile } = (jsonOf(answer) ?? {}) as { profile?: { projectCode?: unknown } | null };
    if (typeof profile?.projectCode === 'string') projectCode ??= profile.projectCode;
    const balance = pointsIn(answer);
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
const callsToCompare = 2;

/**
 * The versions that a server has: those whose reading of points it carries out, or answers otherwise than a path that it
 * does not have. Rejects with an EnvironmentError where it has neither.
 */
async function versionsOf(operations: Operations, input: Input): Promise<'v1' | 'v2' | 'both'> {
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
    // A server that does not respond is tested: the requirement about response time fails.
    if (answer?.status === undefined) return true;
    const body = jsonOf(answer) as { points?: unknown } | null | undefined;
    if (isSuccess(answer) && typeof body?.points === 'object') return true;
    const other = await twice(() => operations.send({ ...answer.call, path: nowhere }), input);
    return other?.status !== answer.status;
  }
}

function describe(answer: Answer | undefined): string {
  return answer === undefined ? 'no response' : describeAnswer(answer);
}

/** Most calls that restoring the balances takes, in addition to one for each pending redemption. */
export const mostToRestore = 4;

/** Balances at the beginning. */
export class OpeningBalances {
  readonly #opening = new Map<string, number>();

  /** Notes what a customer has. */
  opens(uid: string, balance: number): void {
    this.#opening.set(uid, balance);
  }

  /**
   * Reverses pending redemptions, then credits or deducts the difference. It ends whatever the server does; `state` says
   * afterwards whether every balance was restored.
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

  /** Whether all balances are those of the beginning; unknown where the server does not tell. */
  async state(probing: ProbeContext, partner: Partner): Promise<Report['balances']> {
    if (this.#opening.size === 0) return 'unknown';
    partner.left += this.#opening.size;
    try {
      for (const [uid, opening] of this.#opening) if ((await probing.balance(uid)) !== opening) return 'not_restored';
      return 'restored';
    } catch (error) {
      if (error instanceof Blocked) return 'unknown';
      throw error;
    }
  }

  /** Takes what a customer has too much, for good. */
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
