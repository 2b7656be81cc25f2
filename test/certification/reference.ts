/** Certifies a sandbox's reference client. */
import type { Input, Report } from '../../sandbox/certification/verdict.ts';
import { type Delay, delayBy, realTimer } from '../../sandbox/runtime/clock.ts';
import { advance } from '../harness/orders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { mostReal } from './judged.ts';
import { runCertification } from './run.ts';

/**
 * Starts a reference client. Returns a function that certifies it with every input. It reads codes from the client's outbox.
 * Long waits advance the client's clock instead.
 */
export async function startReference(): Promise<(input: Partial<Input>) => Promise<Report>> {
  const sandbox = await testSandbox();
  const { control, credentials, urls } = sandbox;
  const [uid, other] = ['CUST0001', 'CUST0002'];
  const { jwt: expired_token } = await signIn(sandbox, uid);
  await advance(sandbox, 7200);
  const readCode = async ({ customer_id }: { readonly customer_id: string }) => {
    const { items } = ok(await control.GET('/messages', { params: { query: { uid: customer_id } } }));
    return items[0]?.otp ?? '';
  };
  const all: Input = {
    client_url: urls.client,
    service_token: credentials.service_token,
    basic: `${credentials.basic.username}:${credentials.basic.password}`,
    api: 'both',
    customers: [uid, other],
    otp: { gateway: true },
    expired_token,
  };
  const real = delayBy(realTimer);
  const delay: Delay = async (milliseconds, signal) => {
    if (milliseconds <= mostReal) return real(milliseconds, signal);
    await advance(sandbox, Math.ceil(milliseconds / 1000));
  };
  return (input) => runCertification({ ...all, ...input }, { readCode, delay });
}
