import { clientSaysNo } from '../../../domain/deduction.ts';
import { type Microsite, type MicrositeCall, type MicrositeReply, resendIn } from '../microsite.ts';
import { codePage } from '../pages.ts';

/** Has the client send another one-time password; the one before no longer counts here (OP-97). */
export async function resendCode(
  microsite: Microsite,
  { caller, trace }: MicrositeCall<'resendCode'>,
): Promise<MicrositeReply<'resendCode'>> {
  const { gateway, store, clock } = microsite;
  const { id, visit } = caller;
  if (visit.signedIn !== null) return { status: 303, location: 'home' };
  const refused = (problem: string) =>
    ({ status: 422, type: 'text/html', text: codePage(microsite, visit, problem) }) as const;
  const wait = resendIn(microsite, visit);
  if (wait > 0) return refused(`You can request a new code in ${wait} s.`);
  const { customer_id } = visit;
  const answer = await gateway.generateOtp({ customer_id }, trace);
  if (answer.kind === 'no_answer') return clientSaysNo(answer);
  if (answer.kind === 'refused') return refused(answer.message);
  const { reference_id, mobile } = answer.body;
  const sentAt = clock.now();
  const goesOn = await store.transact((tx) => {
    const now = tx.get('visits', id);
    if (now !== undefined) tx.put('visits', id, { ...now, reference_id, mobile, sentAt, wrong: 0 });
    return now !== undefined;
  });
  return goesOn ? { status: 303, location: 'code' } : { kind: 'session_ended' };
}
