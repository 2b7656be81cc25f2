import { clientSaysNo } from '../../../domain/deduction.ts';
import { dropEnded, mostAtOnce } from '../../../store/pruning.ts';
import { type Microsite, type MicrositeCall, type MicrositeReply, visitMilliseconds } from '../microsite.ts';
import { signInPage } from '../pages.ts';

/** Has the client send a one-time password, and begins a visit (D2, OP-97). */
export async function requestCode(
  microsite: Microsite,
  call: MicrositeCall<'requestCode'>,
): Promise<MicrositeReply<'requestCode'>> {
  const { gateway, store, clock, handles } = microsite;
  const customer_id = call.body.customer_id.trim();
  const again = (problem: string) =>
    ({ status: 422, type: 'text/html', text: signInPage(microsite, customer_id, problem) }) as const;
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
