/** Probes of Basic credentials: only the microsite may request codes or sign customers in. */

import type { Answer } from '../answer.ts';
import {
  assertRefusedWith,
  assertSucceeded,
  describeAnswer,
  failStatus,
  isRefusal,
  isSuccess,
  requireRefusal,
} from '../assertions.ts';
import { type Credential, noToken } from '../forging.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { verificationOf } from '../sessions.ts';
import { Blocked } from '../verdict.ts';
import { allRefused, sentWith, wereRefused } from './tokens-sent.ts';

export const basicProbes = {
  'BAS-01': (probing) => generateRefused(probing, [noToken]),
  'BAS-02': (probing) => generateRefused(probing, [wrongPassword(probing)]),
  'BAS-03': (probing) => generateRefused(probing, [wrongUser(probing)]),
  'BAS-04': (probing) => generateRefused(probing, otherSchemes(probing)),
  'BAS-05': async (probing) => {
    const answer = await probing.operations.generateOtp({ customer_id: probing.customer });
    if (isSuccess(answer)) return;
    const wrong = await generate(probing, wrongPassword(probing));
    // A refusal with a different message has another reason, such as too many codes.
    if (!isRefusal(answer) || describeAnswer(wrong) !== describeAnswer(answer))
      throw new Blocked(prerequisites.signIn, `No code was sent to ${probing.customer}: ${describeAnswer(answer)}.`);
    failStatus('The right credentials are refused like wrong ones', '200', answer, { before: [wrong] });
  },
  'BAS-06': async (probing) => {
    const body = verificationOf(await probing.sessions.code());
    const credentials = [noToken, wrongPassword(probing), wrongUser(probing), ...otherSchemes(probing)];
    const sent = await sentWith(credentials, (sending) => probing.operations.verifyOtp(body, sending));
    // Use up the code, because servers count unused ones.
    await probing.operations.verifyOtp(body);
    wereRefused('A sign-in with the right code', sent);
  },
  'BAS-07': async (probing) => {
    const { what, answer } = await generateWithWrongPassword(probing);
    assertRefusedWith(answer, what, { status: 401, why: 'the credentials are wrong' });
  },
  'BAS-08': async (probing) => {
    // If no sign-in works at all, the refused call is not the cause.
    await probing.session();
    const code = await probing.sessions.code();
    const { answer: between } = await generateWithWrongPassword(probing);
    const answer = await probing.operations.verifyOtp(verificationOf(code));
    assertSucceeded(answer, `A sign-in with the code sent before a refused generate-otp`, [between]);
  },
} satisfies Record<string, Probe>;

function generate(probing: ProbeContext, { authorization }: Pick<Credential, 'authorization'>): Promise<Answer> {
  return probing.operations.generateOtp({ customer_id: probing.customer }, { authorization });
}

/** Requests a code with a wrong password. Rejects with `Blocked` if the request is not refused. */
async function generateWithWrongPassword(probing: ProbeContext) {
  const credential = wrongPassword(probing);
  const what = `generate-otp with ${credential.what}`;
  return { what, answer: requireRefusal(await generate(probing, credential), 'BAS-02', what) };
}

function generateRefused(probing: ProbeContext, credentials: readonly Credential[]): Promise<void> {
  return allRefused('generate-otp', credentials, (sending) => generate(probing, sending));
}

function wrongPassword(probing: ProbeContext): Credential {
  return { what: 'a wrong password', authorization: `Basic ${inBase64(given(probing).user, probing.fresh())}` };
}

function wrongUser(probing: ProbeContext): Credential {
  const text = inBase64(probing.fresh(), given(probing).password);
  // Mask the header, because it contains the correct password.
  probing.run.secrets.add(text, 'CREDENTIALS_OF_ANOTHER_USER');
  return { what: 'a wrong user name', authorization: `Basic ${text}` };
}

function inBase64(user: string, password: string): string {
  return Buffer.from(`${user}:${password}`).toString('base64');
}

/** Returns the service token, and the correct credentials without Base64 encoding. */
function otherSchemes({ input }: ProbeContext): readonly Credential[] {
  const { service_token: token = 'token', basic: text = '' } = input;
  return [
    { what: 'the service token', authorization: `Bearer ${token}` },
    { what: 'credentials without Base64 encoding', authorization: `Basic ${text}` },
  ];
}

function given({ input }: ProbeContext): { readonly user: string; readonly password: string } {
  const { basic: text = '' } = input;
  const colon = text.indexOf(':');
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
