/** Probes of tokens in version 2.0. */
import { assertSucceeded, describeAnswer, isSuccess } from '../assertions.ts';
import { type Credential, refusesOwn } from '../forging.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';
import {
  allRefused,
  expiredJwt,
  forgedTokens,
  otherCustomersToken,
  own,
  unissuedTokens,
  withoutEffect,
  withoutSignature,
} from './tokens-sent.ts';

const points = 7;

export const tokensV2Probes = {
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
  const answer = await probing.operations.redeem(deduction);
  if (!isSuccess(answer))
    throw new Blocked(prerequisites.v2Deduction, `A deduction was refused: ${describeAnswer(answer)}.`);
  const send = (authorization: string | null) => back(probing, deduction.redeem_code, authorization);
  await withoutEffect(probing, 'A reversal', credentials, send, () => back(probing, deduction.redeem_code));
}
