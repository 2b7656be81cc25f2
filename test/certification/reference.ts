/** Certifies a sandbox's reference client. */
import type { Input, Report } from '../../sandbox/certification/verdict.ts';
import { advance } from '../harness/orders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { runCertification } from './run.ts';

/** Starts a reference client. Returns a function that certifies it with every input, and that reads codes from the client's outbox. */
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
  return (input) => runCertification({ ...all, ...input }, { readCode });
}
