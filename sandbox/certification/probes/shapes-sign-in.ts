/** Probes of the replies of sign-in, and the checks that precede all probes of shapes: only success and 422 have a stated shape. */
import { type Answer, jsonOf } from '../answer.ts';
import { assertShape, describeAnswer, isRefusal, isSuccess, replyCause } from '../assertions.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked, NotApplicable, Unmet } from '../verdict.ts';

/** Returns the answer to an accepted call. Throws Blocked, with the requirement that the server accepts it, for any other. */
export function done(answer: Answer, by: string, what: string): Answer {
  if (!isSuccess(answer)) throw new Blocked(by, `${what} was refused: ${describeAnswer(answer)}.`);
  return answer;
}

/**
 * Returns the 422 to a call that must be refused. Throws Blocked, with the requirement that the server refuses it, where it accepts it, and
 * NotApplicable for another status, because the interface states no envelope for one.
 */
export function refusal(answer: Answer, by: string, what: string): Answer {
  if (!isRefusal(answer)) throw new Blocked(by, `${what} was not refused: ${describeAnswer(answer)}.`);
  if (answer.status !== 422)
    throw new NotApplicable(
      `${what} was refused with ${answer.status}, and the interface specifies an envelope for 422 only.`,
    );
  return answer;
}

/** A part of a body that is an object; undefined where it is none. */
export function part(answer: Answer, name: string): Readonly<Record<string, unknown>> | undefined {
  const found = (jsonOf(answer) as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : undefined;
}

const assumed = { assumed: true, below: '/body' };
/** What a sign-in is stated to return. */
const returned = ['token', 'points'] as const;

export const shapesSignInProbes = {
  'SHP-21': async (probing) => {
    const answer = await probing.operations.generateOtp({ customer_id: probing.customer });
    assertShape(done(answer, prerequisites.signIn, 'A code request'), 'The generate-otp response', {
      ...assumed,
      reply: 'generate-otp',
    });
  },
  'SHP-22': async (probing) => {
    const answer = await signedIn(probing);
    for (const name of returned)
      if (!has(answer, name))
        throw new Unmet({
          message: `A sign-in returns no \`${name}\`.`,
          pointer: `/body/${name}`,
          expected: `\`${name}\``,
          actual: 'nothing',
          answers: [answer],
          cause: replyCause('verify-otp', `/body/${name}`),
        });
    assertShape(answer, 'The verify-otp response', { below: '/body' });
  },
  'SHP-23': async (probing) => {
    const answer = await signedIn(probing);
    const missing = returned.find((name) => !has(answer, name));
    if (missing !== undefined) throw new Blocked('SHP-22', `A sign-in returns no \`${missing}\`.`);
    assertShape(answer, 'The verify-otp response', assumed);
  },
  'SHP-24': async (probing) => {
    const answer = await probing.operations.generateOtp({});
    assertShape(refusal(answer, 'OTP-13', 'generate-otp without customer_id'), 'The refusal of a code request', {
      ...assumed,
      reply: 'refusal',
    });
  },
} satisfies Record<string, Probe>;

function has(answer: Answer, name: (typeof returned)[number]): boolean {
  const value = (jsonOf(answer) as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return value !== undefined && value !== null;
}

async function signedIn(probing: ProbeContext): Promise<Answer> {
  const { otp, reference_id } = await probing.code();
  const answer = await probing.operations.verifyOtp({ customer_id: probing.customer, otp, reference_id });
  return done(answer, prerequisites.signIn, `A sign-in of ${probing.customer}`);
}
