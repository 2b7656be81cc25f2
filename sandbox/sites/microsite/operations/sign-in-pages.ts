import { clientSaysNo } from '../../../domain/order.ts';
import { dropEnded, mostAtOnce } from '../../../store/pruning.ts';
import {
  type Microsite,
  type MicrositeCall,
  type MicrositeReply,
  resendIn,
  type Visit,
  visitMilliseconds,
} from '../microsite.ts';
import { codePage, signInPage, wasWrong } from '../pages.ts';

const unprocessable = (text: string) => ({ status: 422, type: 'text/html', text }) as const;

/** Shows the first page. */
export function showSignIn(microsite: Microsite): MicrositeReply<'showSignIn'> {
  return { status: 200, type: 'text/html', text: signInPage(microsite, '') };
}

/** Has the client send a one-time password, and starts a visit (D2, OP-97). */
export async function requestCode(
  microsite: Microsite,
  call: MicrositeCall<'requestCode'>,
): Promise<MicrositeReply<'requestCode'>> {
  const { gateway, store, clock, handles } = microsite;
  const customer_id = call.body.customer_id.trim();
  const again = (problem: string) => unprocessable(signInPage(microsite, customer_id, problem));
  if (customer_id === '') return again('Enter your customer ID.');
  if (customer_id.length > 64) return again('A customer ID can have up to 64 characters.');
  const answer = await gateway.generateOtp({ customer_id }, call.trace);
  if (answer.kind === 'no_answer') return clientSaysNo(answer);
  if (answer.kind === 'refused') return again(answer.message);
  const { reference_id, mobile } = answer.body;
  const sentAt = clock.now();
  const expires = sentAt + visitMilliseconds;
  const handle = await store.transact((tx) => {
    const drawn = handles.draw(tx);
    tx.add('visits', drawn.id, { customer_id, reference_id, mobile, sentAt, wrong: 0, signedIn: null, expires });
    dropEnded(tx, 'visits', sentAt, mostAtOnce);
    return drawn.handle;
  });
  return { status: 303, location: `/microsite/s/${handle}/code` };
}

/** Shows the form for the one-time password. */
export function showCode(microsite: Microsite, { caller }: MicrositeCall<'showCode'>): MicrositeReply<'showCode'> {
  if (caller.visit.signedIn !== null) return { status: 303, location: 'home' };
  return { status: 200, type: 'text/html', text: codePage(microsite, caller.visit) };
}

/**
 * Has the client verify the one-time password, and signs the visitor in (D5 to D7, OP-97). The visit continues under a
 * new handle, returned only to the sender of the code, because others may know the previous one.
 */
export async function checkCode(
  microsite: Microsite,
  { caller, body, trace }: MicrositeCall<'checkCode'>,
): Promise<MicrositeReply<'checkCode'>> {
  const { gateway, store, clock, handles } = microsite;
  const { id, visit } = caller;
  if (visit.signedIn !== null) return { status: 303, location: 'home' };
  const refused = (now: Visit, problem: string) => unprocessable(codePage(microsite, now, problem));
  const otp = body.otp.replaceAll(/\s/g, '');
  // Malformed input does not use up an attempt.
  if (!/^[0-9]{6}$/.test(otp)) return refused(visit, 'Enter the six-digit code.');
  const { customer_id, reference_id } = visit;
  const answer = await gateway.verifyOtp({ customer_id, otp, reference_id }, trace);
  if (answer.kind === 'no_answer') return clientSaysNo(answer);
  if (answer.kind === 'refused') {
    const { message } = answer;
    const tried = await store.transact((tx) => {
      const now = tx.get('visits', id);
      const next = now && { ...now, wrong: now.wrong + (wasWrong(message) ? 1 : 0) };
      if (next !== undefined) tx.put('visits', id, next);
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

/** Has the client send another one-time password. The microsite no longer accepts the previous one (OP-97). */
export async function resendCode(
  microsite: Microsite,
  { caller, trace }: MicrositeCall<'resendCode'>,
): Promise<MicrositeReply<'resendCode'>> {
  const { gateway, store, clock } = microsite;
  const { id, visit } = caller;
  if (visit.signedIn !== null) return { status: 303, location: 'home' };
  const refused = (problem: string) => unprocessable(codePage(microsite, visit, problem));
  const wait = resendIn(microsite, visit);
  if (wait > 0) return refused(`You can request a new code in ${wait} s.`);
  const answer = await gateway.generateOtp({ customer_id: visit.customer_id }, trace);
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
