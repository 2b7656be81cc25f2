import { clientSaysNo } from '../../../domain/deduction.ts';
import type { Visit } from '../books.ts';
import { type Microsite, type MicrositeCall, type MicrositeReply, visitMilliseconds } from '../microsite.ts';
import { codePage, wasWrong } from '../pages.ts';

/**
 * Has the client verify the one-time password, and signs the visitor in (D5 to D7, OP-97). The visit goes on under a
 * new handle, which only whoever sent the code is told: anybody may know the one before.
 */
export async function checkCode(
  microsite: Microsite,
  { caller, body, trace }: MicrositeCall<'checkCode'>,
): Promise<MicrositeReply<'checkCode'>> {
  const { gateway, store, clock, handles } = microsite;
  const { id, visit } = caller;
  if (visit.signedIn !== null) return { status: 303, location: 'home' };
  const refused = (now: Visit, problem: string) =>
    ({ status: 422, type: 'text/html', text: codePage(microsite, now, problem) }) as const;
  const otp = body.otp.replaceAll(/\s/g, '');
  // What cannot be a code costs no try.
  if (!/^[0-9]{6}$/.test(otp)) return refused(visit, 'Enter the six-digit code.');
  const { customer_id, reference_id } = visit;
  const answer = await gateway.verifyOtp({ customer_id, otp, reference_id }, trace);
  if (answer.kind === 'no_answer') return clientSaysNo(answer);
  if (answer.kind === 'refused') {
    const { message } = answer;
    const tried = await store.transact((tx) => {
      const now = tx.get('visits', id);
      if (now === undefined) return undefined;
      const next = wasWrong(message) ? { ...now, wrong: now.wrong + 1 } : now;
      tx.put('visits', id, next);
      return next;
    });
    return tried === undefined ? { kind: 'session_ended' } : refused(tried, message);
  }
  const { token: jwt, points } = answer.body;
  const expires = clock.now() + visitMilliseconds;
  const handle = await store.transact((tx) => {
    if (tx.get('visits', id) === undefined) return undefined;
    const drawn = handles.draw(tx);
    tx.remove('visits', id);
    tx.add('visits', drawn.id, { ...visit, signedIn: { jwt, points, entered: false }, expires });
    return drawn.handle;
  });
  return handle === undefined ? { kind: 'session_ended' } : { status: 303, location: `/microsite/s/${handle}/home` };
}
