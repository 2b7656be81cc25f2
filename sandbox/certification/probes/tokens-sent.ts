/** Helpers of token probes. They send a call with each token, and check refusals and the balance. */

import type { Answer } from '../answer.ts';
import { assertInTime, failStatus, failWith, isRefusal, isSuccess } from '../assertions.ts';
import {
  type Credential,
  forgeTampered,
  forgeUnissued,
  forgeUnsigned,
  type Jwt,
  noToken,
  readJwt,
} from '../forging.ts';
import type { ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { lifetimeOf } from '../sessions.ts';
import { Blocked, type Cause, MissingInput } from '../verdict.ts';

/** A function that sends a call with the given `Authorization` header. */
export type SendWith = (sending: { readonly authorization: string | null }) => Promise<Answer>;

/** Maximum lifetime of a token whose expiry the run waits for, in seconds. */
const mostSeconds = 60;
/**
 * Times of attempts after the expiry of a token, in seconds. Servers may tolerate a clock skew of one minute. The last attempt
 * is left to the requirement's own test.
 */
const tries = [1, 15, 30, 45, 60];
/** The option that provides an expired token. */
const expiredToken = '--expired-token JWT';
/** Requirements that need an expired token. */
export const afterExpiry = ['TOK-07', 'TOK-14', 'TOK-28'];

/** Asserts that a call is refused with each credential. */
export async function allRefused(call: string, credentials: readonly Credential[], send: SendWith): Promise<void> {
  wereRefused(call, await sentWith(credentials, send));
}

/**
 * Asserts that a call is refused with each credential and does not change the balance. `undo` reverses possible
 * effects before the assertions run.
 */
export async function withoutEffect(
  probing: ProbeContext,
  call: string,
  credentials: readonly Credential[],
  send: SendWith,
  undo?: () => Promise<unknown>,
): Promise<void> {
  const before = await probing.balance();
  const sent = await sentWith(credentials, send);
  const after = await probing.balance();
  await undo?.();
  wereRefused(call, sent);
  if (after === before) return;
  const message = `${call} was refused, but the balance changed from ${before} to ${after} points.`;
  const answers = sent.map(({ answer }) => answer);
  const cause = { is: 'processes a call despite its refused token' };
  failWith(message, '/balance', String(before), String(after), answers, cause);
}

interface Sent extends Pick<Credential, 'what' | 'kind'> {
  readonly answer: Answer;
}

/** Sends a call with each credential. Resolves with the answers. */
export async function sentWith(credentials: readonly Credential[], send: SendWith): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const { authorization, ...of } of credentials) sent.push({ ...of, answer: await send({ authorization }) });
  return sent;
}

/** Asserts that each call was refused. */
export function wereRefused(call: string, sent: readonly Sent[]): void {
  for (const { what, kind = what, answer } of sent) {
    if (isRefusal(answer)) continue;
    assertInTime(answer, `${call} with ${what}`);
    const expected = `a refusal, 4xx, because it carries ${what}`;
    failStatus(`${call} with ${what} was not refused`, expected, answer, { cause: letIn(answer, kind) });
  }
}

/** Returns the cause if a server does not refuse a credential. A server that accepts an unknown token accepts others too. */
export function letIn(answer: Answer, kind: string): Cause {
  if (!isSuccess(answer)) return { is: `answers a bad credential with ${answer.status ?? 'nothing'}` };
  return { is: `lets in ${kind}`, explainedBy: ['lets in an unknown token'] };
}

/** Returns the header of a token that nobody was issued. */
export function nobodys(probing: ProbeContext): { readonly authorization: string } {
  return { authorization: `Bearer ${probing.fresh()}` };
}

/** Returns credentials without a token and with unissued tokens. */
export function unissuedTokens(probing: ProbeContext): readonly Credential[] {
  return [noToken, ...unissuedTo(probing)];
}

/** Returns credentials with unissued tokens. */
export function unissuedTo(probing: ProbeContext): readonly Credential[] {
  return forgeUnissued(probing.fresh(), probing.input.service_token ?? '');
}

/** Returns the primary customer's own JWT. */
export async function own(probing: ProbeContext): Promise<Credential> {
  const { token } = await probing.session();
  return { what: "the customer's own JWT", authorization: `Bearer ${token}` };
}

/** Returns the second customer's JWT. Rejects with `Blocked` if the server issued that of the primary customer instead. */
export async function otherCustomersToken(probing: ProbeContext): Promise<Credential> {
  const { uid, token } = await probing.session(probing.other);
  if (readJwt(token)?.claims.sub === probing.customer)
    throw new Blocked(prerequisites.signIn, `${uid} received the JWT of ${probing.customer}.`);
  return { what: "another customer's JWT", authorization: `Bearer ${token}` };
}

/** Returns forgeries of the primary customer's JWT. */
export async function forgedTokens(probing: ProbeContext): Promise<readonly Credential[]> {
  return forgeTampered(await jwt(probing));
}

/** Returns unsigned variants of the primary customer's JWT. */
export async function withoutSignature(probing: ProbeContext): Promise<readonly Credential[]> {
  return forgeUnsigned(await jwt(probing));
}

/** Returns an expired JWT of the primary customer: the given one, or one whose expiry the probe waits for. */
export async function expiredJwt(probing: ProbeContext): Promise<Credential> {
  const what = 'an expired JWT';
  const { expired_token: given, otp, basic } = probing.input;
  if (given !== undefined) return { what, authorization: `Bearer ${given}` };
  if (otp === undefined || basic === undefined) throw new MissingInput('It requires an expired token.', expiredToken);
  return probing.sessions.once('expired token', async () => {
    const { token, at } = await probing.sessions.oldest();
    const seconds = lifetimeOf(token);
    if (seconds === undefined || seconds > mostSeconds)
      throw new MissingInput(
        `It requires an expired token. Tokens of this server ${seconds === undefined ? 'have no expiry time' : `are valid for ${seconds} s`}, and the run waits at most ${mostSeconds} s for one to expire.`,
        expiredToken,
      );
    const authorization = `Bearer ${token}`;
    for (const after of tries) {
      await probing.wait(Math.max(0, (seconds + after) * 1000 - (probing.run.parts.now() - at)));
      if (after === tries.at(-1) || isRefusal(await probing.readAccount({ authorization }))) break;
    }
    probing.sessions.forget();
    return { what, authorization };
  });
}

async function jwt(probing: ProbeContext): Promise<Jwt> {
  const { token } = await probing.session();
  const read = readJwt(token);
  if (read === undefined) throw new Blocked('OTP-03', 'The token of the sign-in is not a JWT.');
  return read;
}
