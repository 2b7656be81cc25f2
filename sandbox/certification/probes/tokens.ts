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
import type { Body, Booking } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';
import {
  allRefused,
  expiredJwt,
  forgedTokens,
  letIn,
  nobodys,
  otherCustomersToken,
  own,
  type SendWith,
  unissuedTo,
  unissuedTokens,
  withoutEffect,
  withoutSignature,
} from './tokens-sent.ts';

/** Number of points in a call that must be refused. It is small, because an accepted call must be reversed. */
const points = 7;

/** Asserts that a call is refused with each credential. */
type AssertRefused = (probing: ProbeContext, credentials: readonly Credential[]) => Promise<void>;

const profiles = reading('A profile request', 'profile');
const pointsRequests = reading('A points request', 'points');
const credits = booking('A credit', 'credit', (probing) => probing.event(points));
const saves = booking('A deduction', 'save', (probing) => probing.record(points));
/** A rejection would refund points. */
const updates = booking('A Rejected update', 'update', async (probing) => {
  const { record } = await probing.deduct(points);
  return probing.status(record.redeemCode, 'Rejected');
});
const redeems = booking('A deduction', 'redeem', line, refund);
const reversals = booking('A reversal', 'reverse', reversalOfNewLine, refund);

export const tokensProbes = {
  'TOK-01': async (probing) => {
    const answer = await probing.operations.profile(probing.customer, nobodys(probing));
    const expected = { ...badToken(answer), message: 'Token Invalid' };
    assertRefusedWith(answer, 'A profile request with an unissued token', expected);
  },
  'TOK-02': refused(profiles, () => [noToken]),
  'TOK-03': refused(profiles, unissuedTo),
  'TOK-04': refused(profiles, ({ input }) => [
    { what: 'a token without the word Bearer', authorization: input.service_token ?? '' },
  ]),
  'TOK-05': refused(profiles, forgedTokens),
  'TOK-06': refused(profiles, withoutSignature),
  'TOK-07': refused(profiles, expiredJwt),
  'TOK-08': refused(profiles, otherCustomersToken),
  'TOK-09': async (probing) => {
    const { authorization } = await own(probing);
    const answer = await probing.operations.profile(probing.customer, { authorization });
    assertSucceeded(answer, "A profile request with the customer's own JWT", [], refusesOwn);
  },

  'TOK-10': refused(credits, unissuedTokens),
  'TOK-11': refused(credits, own),

  'TOK-12': refused(saves, unissuedTokens),
  'TOK-13': refused(saves, forgedOrUnsigned),
  'TOK-14': refused(saves, expiredJwt),
  'TOK-15': refused(saves, otherCustomersToken),
  'TOK-16': async (probing) => {
    const { authorization } = await own(probing);
    const answer = await probing.operations.save(probing.record(points), { authorization });
    // If the server accepts no deduction at all, the token is not the cause.
    if (!isSuccess(answer)) await probing.deduct(points);
    const cause = { is: "refuses a deduction with the customer's own JWT", explainedBy: [refusesOwn.is] };
    assertSucceeded(answer, "A deduction with the customer's own JWT", [], cause);
  },

  'TOK-17': refused(updates, unissuedTokens),
  'TOK-18': refused(updates, own),

  'TOK-19': async (probing) => {
    const { operations } = probing;
    const sending = nobodys(probing);
    const { record } = await probing.deduct(points);
    const answers = [
      bad(await operations.credit(probing.event(points), sending), 'TOK-10'),
      bad(await operations.save(probing.record(points), sending), 'TOK-12'),
      bad(await operations.update(probing.status(record.redeemCode, 'Rejected'), sending), 'TOK-17'),
    ];
    for (const answer of answers) assertRefusedWith(answer, 'An unissued token', badToken(answer));
  },
  'TOK-20': async (probing) => {
    const sending = nobodys(probing);
    const right = bad(await probing.operations.save(probing.record(points), sending), 'TOK-12');
    const empty = await probing.operations.save({}, sending);
    assertSame(describeAnswer(empty), describeAnswer(right), {
      message: `An unissued token is refused with ${describeAnswer(right)}, but with an empty record it is refused with ${describeAnswer(empty)}.`,
      pointer: '/body/data/message',
      answers: [right, empty],
    });
  },

  'TOK-21': refused(pointsRequests, unissuedTokens),
  'TOK-22': refused(pointsRequests, forgedOrUnsigned),
  'TOK-23': refused(pointsRequests, otherCustomersToken),
  'TOK-24': async (probing) => {
    const { authorization } = await own(probing);
    const answer = await probing.operations.points(probing.customer, { authorization });
    // If the server returns no points at all, the token is not the cause.
    if (!isSuccess(answer)) await readable(probing);
    assertSucceeded(answer, "A points request with the customer's own JWT", [], refusesOwn);
  },

  'TOK-25': refused(redeems, unissuedTokens),
  'TOK-26': refused(redeems, forgedOrUnsigned),
  'TOK-27': refused(redeems, otherCustomersToken),
  'TOK-28': refused(redeems, expiredJwt),

  'TOK-29': refused(reversals, unissuedTokens),
  'TOK-30': refused(reversals, own),
} satisfies Record<string, Probe>;

/** Makes an assertion that reading the customer's account is refused. */
function reading(call: string, name: 'profile' | 'points'): AssertRefused {
  return ({ customer, operations }, credentials) =>
    allRefused(call, credentials, (sending) => operations[name](customer, sending));
}

/**
 * Makes an assertion that a booking is refused and has no effect. `prepare` resolves with its body, and `undo` reverses its
 * possible effects.
 */
function booking<B extends Body>(
  call: string,
  name: Booking,
  prepare: (probing: ProbeContext) => B | Promise<B>,
  undo?: (probing: ProbeContext, body: B) => Promise<unknown>,
): AssertRefused {
  return async (probing, credentials) => {
    const { operations } = probing;
    const body = await prepare(probing);
    const send: SendWith = (sending) => operations[name](body, sending);
    await withoutEffect(probing, call, credentials, send, undo && (() => undo(probing, body)));
  };
}

type Credentials = Credential | readonly Credential[];

/** Makes a probe that a call is refused with each of the credentials. */
function refused(check: AssertRefused, make: (probing: ProbeContext) => Credentials | Promise<Credentials>): Probe {
  return async (probing) => check(probing, [await make(probing)].flat());
}

async function forgedOrUnsigned(probing: ProbeContext): Promise<readonly Credential[]> {
  return [...(await forgedTokens(probing)), ...(await withoutSignature(probing))];
}

/** Returns the expected refusal of a bad token, and the cause to report for any other answer. */
function badToken(answer: Answer) {
  const { status } = answer;
  const cause = isRefusal(answer) ? { is: `refuses a bad token with ${status}` } : letIn(answer, 'a bad token');
  return { status: 422, why: 'the token is invalid', cause };
}

/** Returns the answer if a call with a bad token was refused. Otherwise throws `Blocked`. */
function bad(answer: Answer, by: string): Answer {
  if (!isRefusal(answer)) throw new Blocked(by, `An unissued token is not refused: ${describeAnswer(answer)}.`);
  return answer;
}

async function readable(probing: ProbeContext): Promise<void> {
  const answer = await probing.operations.points(probing.customer);
  if (!isSuccess(answer))
    throw new Blocked(prerequisites.v2Points, `Cannot read the points: ${describeAnswer(answer)}.`);
}

function line(probing: ProbeContext) {
  return { customer_id: probing.customer, order_id: probing.fresh(), redeem_code: probing.fresh(), points };
}

/** Deducts points as a preparatory step, and returns the body of their reversal. */
async function reversalOfNewLine(probing: ProbeContext) {
  const deduction = line(probing);
  requireSuccess(await probing.operations.redeem(deduction), prerequisites.v2Deduction, 'A deduction');
  return reversalOf(deduction);
}

function reversalOf({ redeem_code }: { readonly redeem_code: string }) {
  return { redeem_code, points, reason: 'Product out of stock' };
}

/** Refunds the points of a deduction. */
function refund({ operations }: ProbeContext, deduction: { readonly redeem_code: string }): Promise<Answer> {
  return operations.reverse(reversalOf(deduction));
}
