/** Probes of guessed one-time passwords: codes that always work, and the lock after many failures. */

import type { Answer } from '../answer.ts';
import { describeAnswer, failWith, isRefusal, isSuccess } from '../assertions.ts';
import type { Body } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { referenceIn, type SentCode, verificationOf } from '../sessions.ts';
import { MissingInput } from '../verdict.ts';

/** Number of failures that lock a customer, and attempts permitted per code (OP-18). */
const [mostFailures, tries] = [20, 5];
/** Number of guesses per code. It is one less than the limit, because the correct code is sent last. */
const guessesPerCode = 4;

/** The requirement whose probe locks a customer. It is tested after all requirements that sign customers in. */
export const locks = 'OTP-18';

export const guessingProbes = {
  [locks]: async (probing) => {
    const [, , uid = ''] = probing.input.customers;
    const { operations } = probing;
    for (let failures = 0; failures < mostFailures; failures += tries) {
      const sent = await operations.generateOtp({ customer_id: uid });
      if (isRefusal(sent) && failures === 0)
        throw new MissingInput(
          `No code was sent to ${uid}: ${describeAnswer(sent)}. An earlier run may have locked this customer.`,
        );
      // An early lock also stops the guessing.
      if (isRefusal(sent)) return;
      const reference_id = referenceIn(sent);
      for (let at = 0; at < tries; at += 1)
        await operations.verifyOtp({ customer_id: uid, otp: wrongCode('000000', failures + at), reference_id });
    }
    const sent = await operations.generateOtp({ customer_id: uid });
    if (!isSuccess(sent)) return;
    const answer = await operations.verifyOtp(verificationOf(await probing.sessions.read(uid, sent)));
    const message = `${uid} can sign in after ${mostFailures} consecutive failures.`;
    const expected = `a refusal, 4xx, because ${mostFailures} failures lock the customer`;
    if (isSuccess(answer)) failWith(message, '/status', expected, describeAnswer(answer), [answer]);
  },
  'OTP-19': async (probing) => {
    const accepted: string[] = [];
    const answers = [];
    for (const guesses of perCode(probing)) {
      const body = verificationOf(await probing.sessions.code());
      for (const guess of guesses.filter((text) => text !== body.otp)) {
        const answer = await probing.operations.verifyOtp({ ...body, otp: guess });
        if (!isSuccess(answer)) continue;
        accepted.push(guess);
        answers.push(answer);
        break;
      }
      await probing.operations.verifyOtp(body);
    }
    const message = `A sign-in with ${accepted[0]} succeeds, although another code was sent.`;
    const expected = 'a refusal, 4xx, because the code was not sent';
    if (accepted.length > 0) failWith(message, '/status', expected, 'a sign-in', answers);
  },
} satisfies Record<string, Probe>;

/** Returns codes that test environments often accept, grouped by sent code. Excludes the configured code. */
function perCode({ input }: ProbeContext): readonly (readonly string[])[] {
  const often = ['000000', '123456', '111111', '999999', '654321', '121212', '112233', '888888'];
  const others = often.filter((code) => code !== input.otp?.code);
  return [others.slice(0, guessesPerCode), others.slice(guessesPerCode)];
}

/**
 * Returns the answer to a misuse of a code. Tries each misuse once, then signs in with the code. Requests a new code whenever
 * a misuse is accepted. Throws if there is no misuse with this name.
 */
export async function misused(probing: ProbeContext, wanted: string): Promise<Answer> {
  const answers = await probing.sessions.once('misused code', async () => {
    const answers: Record<string, Answer> = {};
    let code = await probing.sessions.code();
    for (const [name, change] of Object.entries(waysOf(probing))) {
      const answer = await probing.operations.verifyOtp(change(code));
      answers[name] = answer;
      if (isSuccess(answer)) code = await probing.sessions.code();
    }
    await probing.operations.verifyOtp(verificationOf(code));
    return answers;
  });
  const answer = answers[wanted];
  if (answer === undefined) throw new Error(`no code was used so: ${wanted}`);
  return answer;
}

/** Returns a wrong code of the same form. Each `at` produces a different code. */
export function wrongCode(otp: string, at: number): string {
  if (!/^[0-9]+$/.test(otp)) return `${at}${otp}`;
  const all = 10n ** BigInt(otp.length);
  return String((BigInt(otp) + 1n + ((BigInt(at) * 7n) % (all - 1n))) % all).padStart(otp.length, '0');
}

function waysOf(probing: ProbeContext): Readonly<Record<string, (code: SentCode) => Body>> {
  const [, other] = probing.input.customers;
  const without = (name: string) => (code: SentCode) => ({ ...verificationOf(code), [name]: undefined });
  return {
    'without otp': without('otp'),
    'without reference_id': without('reference_id'),
    'without customer_id': without('customer_id'),
    ...(other !== undefined && { customer: (code: SentCode) => ({ ...verificationOf(code), customer_id: other }) }),
    reference: (code) => ({ ...verificationOf(code), reference_id: probing.fresh() }),
    wrong: (code) => ({ ...verificationOf(code), otp: wrongCode(code.otp, 0) }),
  };
}
