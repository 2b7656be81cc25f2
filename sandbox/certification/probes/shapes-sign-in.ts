/** Probes of the replies of sign-in. */

import type { Answer } from '../answer.ts';
import { assertShape, replyCause } from '../assertions.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked, Unmet } from '../verdict.ts';
import { done, refusal } from './shapes-judged.ts';

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
  const value = (answer.json as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return value !== undefined && value !== null;
}

async function signedIn(probing: ProbeContext): Promise<Answer> {
  const { otp, reference_id } = await probing.code();
  const answer = await probing.operations.verifyOtp({ customer_id: probing.customer, otp, reference_id });
  return done(answer, prerequisites.signIn, `A sign-in of ${probing.customer}`);
}
