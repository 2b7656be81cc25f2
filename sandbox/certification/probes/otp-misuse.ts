/** A code that is used in every way but the right one, for the requirements that each judge one of them. */

import type { Answer } from '../answer.ts';
import { isSuccess } from '../assertions.ts';
import type { Body } from '../operations.ts';
import type { ProbeContext } from '../probe-context.ts';
import type { SentCode } from '../sessions.ts';

/** What came of each way, by its name. */
export type Misuse = Readonly<Record<string, Answer>>;

/** Tries each misuse with one code until one is accepted, then signs in with the code. */
export function tryMisuses(probing: ProbeContext): Promise<Misuse> {
  return probing.once('misused code', async () => {
    const answers: Record<string, Answer> = {};
    let code = await probing.code();
    for (const [name, change] of Object.entries(waysOf(probing))) {
      const answer = await probing.operations.verifyOtp(change(code));
      answers[name] = answer;
      if (isSuccess(answer)) code = await probing.code();
    }
    await probing.operations.verifyOtp(bodyOf(code));
    return answers;
  });
}

/** What came of one way. */
export function variantOf(misuse: Misuse, name: string): Answer {
  const answer = misuse[name];
  if (answer === undefined) throw new Error(`no code was used so: ${name}`);
  return answer;
}

/** A code of the same form that is not the right one; another for each number. */
export function wrongCode(otp: string, at: number): string {
  if (!/^[0-9]+$/.test(otp)) return `${at}${otp}`;
  const all = 10n ** BigInt(otp.length);
  return String((BigInt(otp) + 1n + ((BigInt(at) * 7n) % (all - 1n))) % all).padStart(otp.length, '0');
}

function waysOf(probing: ProbeContext): Readonly<Record<string, (code: SentCode) => Body>> {
  const [, other] = probing.input.customers;
  const without = (name: string) => (code: SentCode) =>
    Object.fromEntries(Object.entries(bodyOf(code)).filter(([key]) => key !== name));
  return {
    'without otp': without('otp'),
    'without reference_id': without('reference_id'),
    'without customer_id': without('customer_id'),
    ...(other !== undefined && { customer: (code: SentCode) => ({ ...bodyOf(code), customer_id: other }) }),
    reference: (code) => ({ ...bodyOf(code), reference_id: probing.fresh() }),
    wrong: (code) => ({ ...bodyOf(code), otp: wrongCode(code.otp, 0) }),
  };
}

function bodyOf({ uid, otp, reference_id }: SentCode): Body {
  return { customer_id: uid, otp, reference_id };
}
