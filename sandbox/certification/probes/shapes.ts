/** Probes of the structure of replies to successful and refused calls. No other group tests this. */

import { type Answer, fieldsIn, objectIn } from '../answer.ts';
import {
  assertRefusedWith,
  assertSame,
  assertShape,
  describeAnswer,
  failStatus,
  failWith,
  replyCause,
  requireRefusal,
  requireSuccess,
  type Stated,
} from '../assertions.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { verificationOf } from '../sessions.ts';
import { Blocked, NotApplicable } from '../verdict.ts';
import { nobodys } from './tokens-sent.ts';

const points = 7;
const mandatory = {
  status: 422,
  why: 'mandatory details are missing',
  message: 'Please enter the mandatory details to proceed further.',
};
const assumed = { assumed: true, below: '/body' };
const inBody = { below: '/body' };
const inRefusal = { ...inBody, reply: 'refusal' };
/** Fields that the interface states for the reply to a sign-in. */
const returned = ['token', 'points'] as const;

export const shapesProbes = {
  'SHP-01': async (probing) => {
    const answer = await probing.operations.profile(probing.customer);
    const what = 'The profile response';
    if (answer.status !== 200) failStatus(`${what} does not have status 200`, '200', answer);
    for (const name of ['profile', 'points'])
      if (objectIn(answer, name) === undefined)
        failWith(`${what} has no \`${name}\`.`, `/body/${name}`, 'an object', 'none', [answer]);
    const balance = objectIn(answer, 'points')?.balance ?? null;
    if (balance === null || !Number.isFinite(Number(balance)))
      failWith(`${what} has no balance.`, '/body/points/balance', 'a number', JSON.stringify(balance), [answer]);
  },
  'SHP-02': async (probing) => {
    const { answer } = await probing.profile();
    assertShape(answer, 'The profile response', { below: '/body/profile' });
  },
  'SHP-03': async (probing) => {
    const answer = await probing.operations.profile(probing.customer);
    if (objectIn(answer, 'points') === undefined)
      throw new Blocked(
        prerequisites.profile,
        `Cannot read the points of ${probing.customer}: ${describeAnswer(answer)}.`,
      );
    assertShape(answer, 'The `points` object', { below: '/body/points' });
  },
  'SHP-04': async (probing) => {
    const { profile, answer } = await probing.profile();
    if (typeof profile.uid !== 'string') throw new Blocked('SHP-02', 'The profile has no uid.');
    assertSame(profile.uid, probing.customer, {
      message: `The request was for ${probing.customer}, but the profile is that of ${profile.uid}.`,
      pointer: '/body/profile/uid',
      answers: [answer],
    });
  },
  'SHP-05': async (probing) => {
    const { profile, answer } = await probing.profile();
    const { dob } = profile;
    if (typeof dob !== 'string') throw new Blocked('SHP-02', 'The profile has no date of birth.');
    if (dob === '') throw new NotApplicable(`The date of birth of ${probing.customer} is empty.`);
    if (!/^\d{1,2}\/\d{1,2}\/\d{4}$/.test(dob))
      failWith('The date of birth is not day/month/year.', '/body/profile/dob', 'such as 14/08/1991', dob, [answer]);
  },

  'SHP-06': shape('The deduction response', inBody, async (probing) => (await probing.deduct(points)).answer),
  'SHP-07': shape('The status update response', inBody, async (probing) => {
    const { record } = await probing.deduct(points);
    return probing.report(record.redeemCode, 'Rejected');
  }),
  'SHP-08': async (probing) => {
    const answer = await probing.operations.credit(probing.event(points));
    requireSuccess(answer, prerequisites.credit, 'A credit');
    const found = describeAnswer(answer);
    if (answer.status !== 200) failWith('A credit does not return 200.', '/status', '200', found, [answer]);
    assertShape(answer, 'The credit response', assumed);
  },

  'SHP-09': shape('The refusal of a profile request', inRefusal, async (probing) => {
    const answer = await probing.operations.profile(probing.customer, nobodys(probing));
    return stated422(answer, 'TOK-01', 'An invalid token is');
  }),
  'SHP-10': shape('The refusal of a credit', inRefusal, async (probing) => {
    const answer = await probing.operations.credit({}, nobodys(probing));
    return refusal(answer, 'TOK-10', 'A credit with an invalid token');
  }),
  'SHP-11': shape('The refusal of a deduction', inRefusal, async ({ operations }) =>
    stated422(await operations.save({}), 'SHP-12'),
  ),
  'SHP-12': async (probing) => assertRefusedWith(await probing.operations.save({}), 'An empty record', mandatory),
  'SHP-13': shape('The refusal of a status update', inRefusal, async ({ operations }) =>
    stated422(await operations.update({}), 'SHP-14'),
  ),
  'SHP-14': async (probing) =>
    assertRefusedWith(await probing.operations.update({}), 'An empty status update', mandatory),
  'SHP-15': async (probing) => {
    const headers = [
      ['accept', 'application/json'],
      ['authorization', `Bearer ${probing.input.service_token}`],
    ] as const;
    const call = { method: 'POST', path: '/getProfileAndPoints', headers, body: undefined };
    assertRefusedWith(await probing.operations.send(call), 'A profile request without uid', {
      status: 422,
      why: '`uid` is missing',
    });
  },
  'SHP-16': async (probing) => {
    const answers = [
      await probing.operations.profile(probing.customer),
      await probing.operations.profile(probing.customer, nobodys(probing)),
    ];
    for (const answer of answers)
      assertShape(answer, `The ${answer.status} response`, { assumed: true, below: '/headers/content-type' });
  },

  'SHP-17': shape('The points response', assumed, async ({ customer, operations }) =>
    requireSuccess(await operations.points(customer), prerequisites.v2Points, 'The points request'),
  ),
  'SHP-18': shape('The deduction response', assumed, async (probing) =>
    requireSuccess((await deductAndReverse(probing)).deduction, prerequisites.v2Deduction, 'A deduction'),
  ),
  'SHP-19': shape('The reversal response', assumed, async (probing) => {
    const { deduction, reversal } = await deductAndReverse(probing);
    requireSuccess(deduction, prerequisites.v2Deduction, 'A deduction');
    return requireSuccess(reversal, prerequisites.v2Reversal, 'A reversal');
  }),
  'SHP-20': shape('The refusal of a points request', { ...assumed, ...inRefusal }, async (probing) => {
    const answer = await probing.operations.points(probing.customer, nobodys(probing));
    return refusal(answer, 'TOK-21', 'A points request with an invalid token');
  }),
  'SHP-21': shape('The generate-otp response', { ...assumed, reply: 'generate-otp' }, async (probing) => {
    const answer = await probing.operations.generateOtp({ customer_id: probing.customer });
    return requireSuccess(answer, prerequisites.signIn, 'A code request');
  }),
  'SHP-22': async (probing) => {
    const answer = await signedIn(probing);
    for (const name of returned)
      if (!has(answer, name)) {
        const message = `A sign-in returns no \`${name}\`.`;
        const pointer = `/body/${name}`;
        failWith(message, pointer, `\`${name}\``, 'nothing', [answer], replyCause('verify-otp', pointer));
      }
    assertShape(answer, 'The verify-otp response', inBody);
  },
  'SHP-23': async (probing) => {
    const answer = await signedIn(probing);
    const missing = returned.find((name) => !has(answer, name));
    if (missing !== undefined) throw new Blocked('SHP-22', `A sign-in returns no \`${missing}\`.`);
    assertShape(answer, 'The verify-otp response', assumed);
  },
  'SHP-24': shape('The refusal of a code request', { ...assumed, ...inRefusal }, async ({ operations }) =>
    refusal(await operations.generateOtp({}), 'OTP-13', 'generate-otp without customer_id'),
  ),
} satisfies Record<string, Probe>;

/** Makes a probe of the structure of a reply. */
function shape(what: string, stated: Stated, reply: (probing: ProbeContext) => Promise<Answer>): Probe {
  return async (probing) => assertShape(await reply(probing), what, stated);
}

/** Returns the answer if it is a 422. Otherwise throws `Blocked` with the requirement that covers the refusal. */
function stated422(answer: Answer, by: string, what = 'Missing details are'): Answer {
  if (answer.status !== 422) throw new Blocked(by, `${what} not refused with 422: ${describeAnswer(answer)}.`);
  return answer;
}

/** Sends a deduction and its reversal. */
async function deductAndReverse(probing: ProbeContext) {
  const line = { redeem_code: probing.fresh(), points };
  const { customer, operations } = probing;
  const deduction = await operations.redeem({ customer_id: customer, order_id: probing.fresh(), ...line });
  const reversal = await operations.reverse({ ...line, reason: 'Product out of stock' });
  return { deduction, reversal };
}

/**
 * Returns the answer if the call was refused with 422. Throws `Blocked` if the call was not refused. Throws `NotApplicable`
 * for other refusals, because the interface defines an envelope only for 422.
 */
function refusal(answer: Answer, by: string, what: string): Answer {
  if (requireRefusal(answer, by, what).status !== 422)
    throw new NotApplicable(
      `${what} was refused with ${answer.status}, and the interface specifies an envelope for 422 only.`,
    );
  return answer;
}

function has(answer: Answer, name: (typeof returned)[number]): boolean {
  return (fieldsIn(answer)[name] ?? null) !== null;
}

async function signedIn(probing: ProbeContext): Promise<Answer> {
  const answer = await probing.operations.verifyOtp(verificationOf(await probing.sessions.code()));
  return requireSuccess(answer, prerequisites.signIn, `A sign-in of ${probing.customer}`);
}
