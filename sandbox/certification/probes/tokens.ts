/** Probes of tokens: which tokens the server accepts, and that refused calls have no effect. */
import type { Answer } from '../answer.ts';
import {
  assertRefusedWith,
  assertSame,
  assertSucceeded,
  describeAnswer,
  isRefusal,
  isSuccess,
  requireSuccess,
} from '../assertions.ts';
import { type Credential, noToken, refusesOwn } from '../forging.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';
import {
  allRefused,
  expiredJwt,
  forgedTokens,
  letIn,
  otherCustomersToken,
  own,
  unissuedTo,
  unissuedTokens,
  withoutEffect,
  withoutSignature,
} from './tokens-sent.ts';

/** Number of points in a call that must be refused. It is small, because an accepted call must be reversed. */
const points = 7;

const tokensV2Probes = {
  'TOK-21': (probing) => pointsRefused(probing, unissuedTokens(probing)),
  'TOK-22': async (probing) =>
    pointsRefused(probing, [...(await forgedTokens(probing)), ...(await withoutSignature(probing))]),
  'TOK-23': async (probing) => pointsRefused(probing, [await otherCustomersToken(probing)]),
  'TOK-24': async (probing) => {
    const { authorization } = await own(probing);
    const answer = await probing.operations.points(probing.customer, { authorization });
    // If the server returns no points at all, the token is not the cause.
    if (!isSuccess(answer)) await readable(probing);
    assertSucceeded(answer, "A points request with the customer's own JWT", [], refusesOwn);
  },

  'TOK-25': (probing) => redeemsRefused(probing, unissuedTokens(probing)),
  'TOK-26': async (probing) =>
    redeemsRefused(probing, [...(await forgedTokens(probing)), ...(await withoutSignature(probing))]),
  'TOK-27': async (probing) => redeemsRefused(probing, [await otherCustomersToken(probing)]),
  'TOK-28': async (probing) => redeemsRefused(probing, [await expiredJwt(probing)]),

  'TOK-29': (probing) => reversalsRefused(probing, unissuedTokens(probing)),
  'TOK-30': async (probing) => reversalsRefused(probing, [await own(probing)]),
} satisfies Record<string, Probe>;

export const tokensProbes = {
  'TOK-01': async (probing) => {
    const answer = await profile(probing, nobodys(probing));
    assertRefusedWith(answer, 'A profile request with an unissued token', {
      ...badToken(answer),
      message: 'Token Invalid',
    });
  },
  'TOK-02': (probing) => profilesRefused(probing, [noToken]),
  'TOK-03': (probing) => profilesRefused(probing, unissuedTo(probing)),
  'TOK-04': (probing) => {
    const bare = { what: 'a token without the word Bearer', authorization: probing.input.service_token ?? '' };
    return profilesRefused(probing, [bare]);
  },
  'TOK-05': async (probing) => profilesRefused(probing, await forgedTokens(probing)),
  'TOK-06': async (probing) => profilesRefused(probing, await withoutSignature(probing)),
  'TOK-07': async (probing) => profilesRefused(probing, [await expiredJwt(probing)]),
  'TOK-08': async (probing) => profilesRefused(probing, [await otherCustomersToken(probing)]),
  'TOK-09': async (probing) => {
    const { authorization } = await own(probing);
    assertSucceeded(
      await profile(probing, authorization),
      "A profile request with the customer's own JWT",
      [],
      refusesOwn,
    );
  },

  'TOK-10': (probing) => creditsRefused(probing, unissuedTokens(probing)),
  'TOK-11': async (probing) => creditsRefused(probing, [await own(probing)]),

  'TOK-12': (probing) => savesRefused(probing, unissuedTokens(probing)),
  'TOK-13': async (probing) =>
    savesRefused(probing, [...(await forgedTokens(probing)), ...(await withoutSignature(probing))]),
  'TOK-14': async (probing) => savesRefused(probing, [await expiredJwt(probing)]),
  'TOK-15': async (probing) => savesRefused(probing, [await otherCustomersToken(probing)]),
  'TOK-16': async (probing) => {
    const { authorization } = await own(probing);
    const answer = await probing.operations.save(probing.record(points), { authorization });
    // If the server accepts no deduction at all, the token is not the cause.
    if (!isSuccess(answer)) await probing.deduct(points);
    const cause = { is: "refuses a deduction with the customer's own JWT", explainedBy: [refusesOwn.is] };
    assertSucceeded(answer, "A deduction with the customer's own JWT", [], cause);
  },

  'TOK-17': (probing) => updatesRefused(probing, unissuedTokens(probing)),
  'TOK-18': async (probing) => updatesRefused(probing, [await own(probing)]),

  'TOK-19': async (probing) => {
    const { operations } = probing;
    const sending = { authorization: nobodys(probing) };
    const { record } = await probing.deduct(points);
    const answers = [
      bad(await operations.credit(probing.event(points), sending), 'TOK-10'),
      bad(await operations.save(probing.record(points), sending), 'TOK-12'),
      bad(await operations.update(probing.status(record.redeemCode, 'Rejected'), sending), 'TOK-17'),
    ];
    for (const answer of answers) assertRefusedWith(answer, 'An unissued token', badToken(answer));
  },
  'TOK-20': async (probing) => {
    const sending = { authorization: nobodys(probing) };
    const right = bad(await probing.operations.save(probing.record(points), sending), 'TOK-12');
    const empty = await probing.operations.save({}, sending);
    assertSame(describeAnswer(empty), describeAnswer(right), {
      message: `An unissued token is refused with ${describeAnswer(right)}, but with an empty record it is refused with ${describeAnswer(empty)}.`,
      pointer: '/body/data/message',
      answers: [right, empty],
    });
  },

  ...tokensV2Probes,
} satisfies Record<string, Probe>;

/** Returns the expected refusal of a bad token, and the cause to report for any other answer. */
function badToken(answer: Answer) {
  const { status } = answer;
  const cause = isRefusal(answer) ? { is: `refuses a bad token with ${status}` } : letIn(answer, 'a bad token');
  return { status: 422, why: 'the token is invalid', cause };
}

function nobodys(probing: ProbeContext): string {
  return `Bearer ${probing.fresh()}`;
}

/** Returns the answer if a call with a bad token was refused. Otherwise throws `Blocked`. */
function bad(answer: Answer, by: string): Answer {
  if (!isRefusal(answer)) throw new Blocked(by, `An unissued token is not refused: ${describeAnswer(answer)}.`);
  return answer;
}

function profile(probing: ProbeContext, authorization: string | null): Promise<Answer> {
  return probing.operations.profile(probing.customer, { authorization });
}

async function profilesRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  await allRefused('A profile request', credentials, (authorization) => profile(probing, authorization));
}

async function creditsRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  const event = probing.event(points);
  const send = (authorization: string | null) => probing.operations.credit(event, { authorization });
  await withoutEffect(probing, 'A credit', credentials, send);
}

async function savesRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  const record = probing.record(points);
  const send = (authorization: string | null) => probing.operations.save(record, { authorization });
  await withoutEffect(probing, 'A deduction', credentials, send);
}

/** Asserts that a rejection, which would refund points, is refused and has no effect. */
async function updatesRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  const { record } = await probing.deduct(points);
  const update = probing.status(record.redeemCode, 'Rejected');
  const send = (authorization: string | null) => probing.operations.update(update, { authorization });
  await withoutEffect(probing, 'A Rejected update', credentials, send);
}

async function readable(probing: ProbeContext): Promise<void> {
  const answer = await probing.operations.points(probing.customer);
  if (!isSuccess(answer))
    throw new Blocked(prerequisites.v2Points, `Cannot read the points: ${describeAnswer(answer)}.`);
}

async function pointsRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  const send = (authorization: string | null) => probing.operations.points(probing.customer, { authorization });
  await allRefused('A points request', credentials, send);
}

function line(probing: ProbeContext) {
  return { customer_id: probing.customer, order_id: probing.fresh(), redeem_code: probing.fresh(), points };
}

function back({ operations }: ProbeContext, redeem_code: string, authorization?: string | null) {
  const reversal = { redeem_code, points, reason: 'Product out of stock' };
  return operations.reverse(reversal, authorization === undefined ? {} : { authorization });
}

async function redeemsRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  const deduction = line(probing);
  const send = (authorization: string | null) => probing.operations.redeem(deduction, { authorization });
  await withoutEffect(probing, 'A deduction', credentials, send, () => back(probing, deduction.redeem_code));
}

async function reversalsRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  const deduction = line(probing);
  requireSuccess(await probing.operations.redeem(deduction), prerequisites.v2Deduction, 'A deduction');
  const send = (authorization: string | null) => back(probing, deduction.redeem_code, authorization);
  await withoutEffect(probing, 'A reversal', credentials, send, () => back(probing, deduction.redeem_code));
}
