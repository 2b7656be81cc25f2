/** How probes send tokens: one call with each, whether all were refused, and whether the balance stayed as it was. */

import type { Answer } from '../answer.ts';
import { assertInTime, describeAnswer, isRefusal, isSuccess } from '../assertions.ts';
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
import { Blocked, type Cause, MissingInput, RequirementFailed } from '../verdict.ts';

/** One call, with the header that is given. */
type SendWith = (authorization: string | null) => Promise<Answer>;

/** Seconds that a run waits at most for a token to expire. */
const mostSeconds = 60;
/**
 * Seconds after the expiry of a token at which the run tries it. Servers may allow clocks to differ by a minute; whether the last
 * try is refused is tested and not waited for.
 */
const tries = [1, 15, 30, 45, 60];
/** The option that gives an expired token. */
const expiredToken = '--expired-token JWT';
/** Requirements that need such a token. */
export const afterExpiry = ['TOK-07', 'TOK-14', 'TOK-28'];

/** Sends a call with each credential; none may be let in. */
export async function allRefused(call: string, credentials: readonly Credential[], send: SendWith): Promise<void> {
  wereRefused(call, await sentWith(credentials, send));
}

/**
 * Sends a call with each credential; none may be let in, and the balance must be as before. `undo` takes back what
 * they may have done, before anything is tested.
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
  throw new RequirementFailed({
    message: `${call} was refused, but the balance changed from ${before} to ${after} points.`,
    pointer: '/balance',
    expected: String(before),
    actual: String(after),
    answers: sent.map(({ answer }) => answer),
    cause: { is: 'processes a call despite its refused token' },
  });
}

interface Sent extends Pick<Credential, 'what' | 'kind'> {
  readonly answer: Answer;
}

/** The answers to one call with each credential. */
export async function sentWith(credentials: readonly Credential[], send: SendWith): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const { authorization, ...of } of credentials) sent.push({ ...of, answer: await send(authorization) });
  return sent;
}

/** Each call was refused, whatever credential it carried. */
export function wereRefused(call: string, sent: readonly Sent[]): void {
  for (const { what, kind = what, answer } of sent) {
    if (isRefusal(answer)) continue;
    assertInTime(answer, `${call} with ${what}`);
    throw new RequirementFailed({
      message: `${call} with ${what} was not refused: ${describeAnswer(answer)}.`,
      pointer: '/status',
      expected: `a refusal, 4xx, because it carries ${what}`,
      actual: describeAnswer(answer),
      answers: [answer],
      cause: letIn(answer, kind),
    });
  }
}

/** The mistake of a server that does not refuse a credential: a server that accepts one usually accepts all. */
export function letIn(answer: Answer, kind: string): Cause {
  if (!isSuccess(answer)) return { is: `answers a bad credential with ${answer.status ?? 'nothing'}` };
  return { is: `lets in ${kind}`, explainedBy: ['lets in an unknown token'] };
}

/** No token, and forged tokens. */
export function unissuedTokens(probing: ProbeContext): readonly Credential[] {
  return [noToken, ...unissuedTo(probing)];
}

/** Forged tokens. */
export function unissuedTo(probing: ProbeContext): readonly Credential[] {
  return forgeUnissued(probing.fresh(), probing.input.service_token ?? '');
}

/** The first customer's own JWT. */
export async function own(probing: ProbeContext): Promise<Credential> {
  const { token } = await probing.session();
  return { what: "the customer's own JWT", authorization: `Bearer ${token}` };
}

/** The JWT of the other customer. Rejects with Blocked if the server gave that one the first customer's. */
export async function otherCustomersToken(probing: ProbeContext): Promise<Credential> {
  const { uid, token } = await probing.session(probing.other);
  if (readJwt(token)?.claims.sub === probing.customer)
    throw new Blocked(prerequisites.signIn, `${uid} received the JWT of ${probing.customer}.`);
  return { what: "another customer's JWT", authorization: `Bearer ${token}` };
}

/** What others could make of the first customer's JWT. */
export async function forgedTokens(probing: ProbeContext): Promise<readonly Credential[]> {
  return forgeTampered(await jwt(probing));
}

/** The first customer's JWT without its signature. */
export async function withoutSignature(probing: ProbeContext): Promise<readonly Credential[]> {
  return forgeUnsigned(await jwt(probing));
}

/** An expired JWT of the first customer: the given one, or one whose expiry the probe waits for. */
export async function expiredJwt(probing: ProbeContext): Promise<Credential> {
  const what = 'an expired JWT';
  const { expired_token: given, otp, basic } = probing.input;
  if (given !== undefined) return { what, authorization: `Bearer ${given}` };
  if (otp === undefined || basic === undefined) throw new MissingInput('It requires an expired token.', expiredToken);
  return probing.sessions.once('expired token', async () => {
    const { token, at } = await probing.sessions.oldest(probing.customer);
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
