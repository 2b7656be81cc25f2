/** Probes of guesses at one-time passwords: codes that always work, and a lock after many failures. */
import { describeAnswer, failWith, isRefusal, isSuccess } from '../assertions.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { MissingInput } from '../verdict.ts';
import { wrongCode } from './otp-misuse.ts';

/** Failures after which a customer is locked, and tries that a code allows (OP-18). */
const [mostFailures, tries] = [20, 5];
/** Guesses for each code: one fewer than it allows, as the right one is tried at last. */
const guessesPerCode = 4;

/** The requirement that locks a customer: judged behind all that signs in. */
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
      // Locked before the twentieth failure: guessing is stopped.
      if (isRefusal(sent)) return;
      const reference_id = referenceOf(sent.json);
      for (let at = 0; at < tries; at += 1)
        await operations.verifyOtp({ customer_id: uid, otp: wrongCode('000000', failures + at), reference_id });
    }
    const sent = await operations.generateOtp({ customer_id: uid });
    if (!isSuccess(sent)) return;
    const code = await probing.readCode(uid, sent);
    const { otp, reference_id } = code;
    const answer = await operations.verifyOtp({ customer_id: uid, otp, reference_id });
    if (isSuccess(answer))
      failWith(
        `${uid} can sign in after ${mostFailures} consecutive failures.`,
        '/status',
        `a refusal, 4xx, because ${mostFailures} failures lock the customer`,
        describeAnswer(answer),
        [answer],
      );
  },
  'OTP-19': async (probing) => {
    const accepted: string[] = [];
    const shown = [];
    for (const guesses of perCode(probing)) {
      const { uid, otp, reference_id } = await probing.code();
      for (const guess of guesses.filter((text) => text !== otp)) {
        const answer = await probing.operations.verifyOtp({ customer_id: uid, otp: guess, reference_id });
        if (!isSuccess(answer)) continue;
        accepted.push(guess);
        shown.push(answer);
        break;
      }
      await probing.operations.verifyOtp({ customer_id: uid, otp, reference_id });
    }
    const [first] = accepted;
    if (first !== undefined)
      failWith(
        `A sign-in with ${first} succeeds, although another code was sent.`,
        '/status',
        'a refusal, 4xx, because the code was not sent',
        'a sign-in',
        shown,
      );
  },
} satisfies Record<string, Probe>;

/** Codes that test environments often accept, without the configured one, up to the attempt limit. */
function perCode({ input }: ProbeContext): readonly (readonly string[])[] {
  const often = ['000000', '123456', '111111', '999999', '654321', '121212', '112233', '888888'];
  const others = often.filter((code) => code !== input.otp?.code);
  return [others.slice(0, guessesPerCode), others.slice(guessesPerCode)];
}

function referenceOf(json: unknown): string {
  const { reference_id } = (json ?? {}) as { reference_id?: unknown };
  return typeof reference_id === 'string' ? reference_id : '';
}
