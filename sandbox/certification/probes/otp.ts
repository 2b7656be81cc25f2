/** Probes of the sign-in with one-time passwords. They request few codes, because a server may limit them (OP-126). */

import { noAnswers, settledSettings } from '../../conformance/answers.ts';
import { type Answer, fieldsIn, jsonOf } from '../answer.ts';
import {
  assertRefused,
  assertSame,
  assertSucceeded,
  describeAnswer,
  failWith,
  isSuccess,
  replyCause,
} from '../assertions.ts';
import { decoded, refusesOwn } from '../forging.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { type SentCode, verificationOf } from '../sessions.ts';
import { Blocked, MissingInput, NotApplicable, returnIf } from '../verdict.ts';
import { guessingProbes, misused, wrongCode } from './otp-guessing.ts';

/** Number of wrong codes to try if OP-18 is open. It exceeds the limit per code, but does not lock a customer. */
const mostGuesses = 10;
/** Maximum time to wait for the expiry of a code, in seconds. */
const longest = 900;

export const otpProbes = {
  'OTP-01': async (probing) => {
    const { sent, unread, signedIn, token } = await probing.signIn();
    assertSucceeded(sent, 'Sending a code');
    if (unread instanceof MissingInput) throw unread;
    const isUnnamed = fieldsIn(sent).reference_id === undefined;
    const unnamed = isUnnamed ? replyCause('generate-otp', '/body/reference_id') : undefined;
    if (signedIn === undefined)
      failWith(`No code arrived: ${unread?.message}`, '/body', 'a code for the customer', 'none', [sent], unnamed);
    assertSucceeded(signedIn, 'The sign-in with the code', [sent], unnamed);
    if (token !== undefined) return;
    const cause = replyCause('verify-otp', '/body/token');
    failWith('The sign-in returned no token.', '/body/token', 'a JWT', 'none', [signedIn], cause);
  },
  'OTP-02': async (probing) => {
    const { answer, balance } = await signedInTwice(probing);
    if (balance instanceof Blocked) throw balance;
    if (!Number.isInteger(balance))
      throw new Blocked(prerequisites.profile, `The balance is ${balance}, which is not a number of points.`);
    const { points } = fieldsIn(answer) as { points?: { balance?: unknown } | null };
    const message = `The sign-in does not return the balance of ${balance} points.`;
    const pointer = '/body/points';
    const answers = [answer];
    if (points === undefined || points === null)
      failWith(message, pointer, `a balance of ${balance}`, 'nothing', answers, replyCause('verify-otp', pointer));
    assertSame(Number(points.balance ?? Number.NaN), balance, { message, pointer: `${pointer}/balance`, answers });
  },
  'OTP-03': async (probing) => {
    const { token } = await probing.session();
    const { signedIn } = await probing.signIn();
    const parts = token.split('.');
    const objects = parts.slice(0, 2).flatMap((part) => decoded(part) ?? []);
    if (parts.length === 3 && objects.length === 2) return;
    const actual = `${parts.length} parts, ${objects.length} of them JSON`;
    const answers = signedIn === undefined ? [] : [signedIn];
    failWith('The token of the sign-in is not a JWT.', '/body/token', 'header, claims and signature', actual, answers);
  },
  'OTP-04': async (probing) => {
    const { token } = await probing.session();
    const answer = await probing.readAccount({ authorization: `Bearer ${token}` });
    assertSucceeded(answer, "Reading the customer's own account with the token of the sign-in", [], refusesOwn);
  },
  'OTP-05': async (probing) => {
    const { answer, again } = await signedInTwice(probing);
    assertRefused(again, 'A used code', [answer]);
  },
  'OTP-06': async (probing) => assertRefused(await misused(probing, 'wrong'), 'A wrong code'),
  'OTP-07': async (probing) => assertRefused(await misused(probing, 'customer'), 'The code of another customer'),
  'OTP-08': async (probing) =>
    assertRefused(await misused(probing, 'reference'), 'A code with an unknown reference_id'),
  'OTP-09': async (probing) => assertRefused((await renewed(probing)).older, 'The older of two codes'),
  'OTP-10': async (probing) => {
    const { sent, otp } = await codeSent(probing);
    const found =
      holding(jsonOf(sent), otp) ?? (sent.headers.some(([, value]) => value === otp) ? '/headers' : undefined);
    if (found !== undefined) failWith('The response contains the code.', found, 'anything else', 'the code', [sent]);
  },
  'OTP-11': async (probing) => {
    const uid = probing.input.customers[1] ?? probing.customer;
    // Sign in first, because the server may lock the customer.
    await probing.signIn(uid);
    const code = await probing.sessions.code(uid);
    const { otp_tries: guesses = mostGuesses } = settledSettings(probing.input.answers ?? noAnswers);
    const tries: Answer[] = [];
    for (let guess = 0; guess < guesses; guess += 1)
      tries.push(await verified(probing, { ...code, otp: wrongCode(code.otp, guess) }));
    const right = await verified(probing, code);
    assertRefused(right, `The right code after ${guesses} wrong ones`, tries);
    // A successful sign-in resets the customer's failure count.
    await probing.sessions.attempt(uid);
  },
  'OTP-12': async (probing) => {
    const answer = await probing.operations.generateOtp({ customer_id: probing.fresh() });
    assertRefused(answer, 'Sending a code to an unknown customer');
  },
  'OTP-13': async (probing) =>
    assertRefused(await probing.operations.generateOtp({}), 'Requesting a code without customer_id'),
  'OTP-14': async (probing) => {
    for (const name of ['otp', 'reference_id', 'customer_id'] as const)
      assertRefused(await misused(probing, `without ${name}`), `A sign-in without ${name}`);
  },
  'OTP-15': async (probing) => {
    if (probing.input.otp?.code !== undefined) throw new NotApplicable('The code is fixed (--otp).');
    const { codes } = await renewed(probing);
    const [one, other] = codes;
    if (one.otp === other.otp)
      failWith('Two consecutive codes are the same.', '/body', 'another code', 'the same code', [other.sent]);
  },
  'OTP-16': async (probing) => {
    const { sent } = await codeSent(probing);
    const { mobile } = fieldsIn(sent);
    if (typeof mobile !== 'string') throw new NotApplicable('The response has no mobile number.');
    const digits = mobile.replaceAll(/\D/g, '').length;
    if (digits > 6)
      failWith(`The response shows ${digits} digits of the number.`, '/body/mobile', 'a masked number', mobile, [sent]);
  },
  'OTP-17': async (probing) => {
    const code = await probing.sessions.code();
    const seconds = Number(fieldsIn(code.sent).expires_in ?? Number.NaN);
    if (!(seconds > 0)) throw new NotApplicable('The response does not say how long the code is valid.');
    if (seconds > longest)
      throw new NotApplicable(`The code is valid for ${seconds} s, which is too long to wait for.`);
    await probing.wait((seconds + 1) * 1000);
    assertRefused(await verified(probing, code), `A code ${seconds + 1} s after it was sent`);
  },
  ...guessingProbes,
} satisfies Record<string, Probe>;

/** Signs in twice with one code, and reads the balance. Rejects with `Blocked` if the first sign-in fails. */
function signedInTwice(probing: ProbeContext) {
  return probing.sessions.once('signed in twice', async () => {
    const code = await probing.sessions.code();
    // Not all callers need the balance, so return the reason if it cannot be read.
    const balance = await probing.balance().catch(returnIf(Blocked));
    const answer = await verified(probing, code);
    if (!isSuccess(answer))
      throw new Blocked(prerequisites.signIn, `The code was not accepted: ${describeAnswer(answer)}.`);
    return { answer, balance, again: await verified(probing, code) };
  });
}

/** Requests two codes, then tries the older and the newer one. */
function renewed(probing: ProbeContext) {
  return probing.sessions.once('two codes', async () => {
    const codes = [await probing.sessions.code(), await probing.sessions.code()] as const;
    const [before, newest] = codes;
    const older = await verified(probing, before);
    await verified(probing, newest);
    return { codes, older };
  });
}

/** Returns the code of the customer's sign-in. Rejects with `Blocked` or `MissingInput` if there is no code. */
async function codeSent(probing: ProbeContext): Promise<SentCode> {
  const { code, unread, sent } = await probing.signIn();
  if (code !== undefined) return code;
  throw unread ?? new Blocked(prerequisites.signIn, `No code was sent: ${describeAnswer(sent)}.`);
}

function verified({ operations }: ProbeContext, code: SentCode): Promise<Answer> {
  return operations.verifyOtp(verificationOf(code));
}

/** Returns the JSON pointer of a value that equals the text. Not recursive, because a reply may be deeply nested. */
function holding(json: unknown, text: string): string | undefined {
  const left: { readonly value: unknown; readonly at: string }[] = [{ value: json, at: '/body' }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, at } = next;
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) left.push({ value: inner, at: `${at}/${name}` });
    else if (String(value) === text) return at;
  }
  return undefined;
}
