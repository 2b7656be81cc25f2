/** Tests that each curl command and each typed client call in the reference's samples reaches its operation. */
import { describe, expect, it } from 'vitest';
import { operationsOf, readBundle } from '../../tools/docs/bundles.ts';
import { type Sample, samplesOf } from '../../tools/docs/samples.ts';
import { logIn, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { node, readdressed, shell } from '../harness/shell.ts';

const apis = ['rewards', 'client', 'auth', 'v2-platform', 'v2-client', 'general', 'sandbox', 'gateway'] as const;

/** Statuses for samples that use secrets, codes or ids unknown to a fresh sandbox. */
const refusalStatus: Readonly<Record<string, number>> = {
  customerAuth: 422,
  verifyOtp: 422,
  submitCertificate: 400,
  deleteWebhook: 404,
  getOrderStatus: 404,
  deleteFault: 404,
  getRedemption: 404,
  replayDelivery: 404,
  triggerStatusUpdate: 404,
  triggerTimeout: 404,
  triggerVendorOutcome: 404,
  triggerCancellation: 404,
  deleteWorkspace: 404,
  postListenerReply: 404,
  updateListedWorkspace: 404,
  restoreSnapshot: 404,
  forkSnapshot: 404,
  getPlacedOrder: 404,
  listWebhookDeliveries: 404,
  triggerWebhookTest: 404,
};

function samples(api: string): { id: string; samples: Sample[] }[] {
  const bundle = readBundle(api);
  return operationsOf(bundle).map(({ method, path, operation }) => ({
    id: operation.operationId,
    samples: samplesOf({ bundle, api, method, path, operation }),
  }));
}

/** Returns the credentials that samples read from the environment. */
async function environment(sandbox: TestSandbox) {
  const { companyToken, customerToken, jwt } = await signIn(sandbox, 'CUST0007');
  const { basic, service_token, gateway_token } = sandbox.credentials;
  return {
    COMPANY_TOKEN: companyToken,
    CUSTOMER_TOKEN: customerToken,
    CUSTOMER_JWT: jwt,
    SERVICE_TOKEN: service_token,
    GATEWAY_TOKEN: gateway_token,
    ACCESS_TOKEN: await logIn(sandbox, 'CUST0007'),
    MICROSITE_BASIC: btoa(`${basic.username}:${basic.password}`),
    MICROSITE_PASSWORD: basic.password,
  };
}

/** Returns one line per operation: its name, and its status if the sandbox refuses the call. */
function expected(ids: readonly string[]): string[] {
  return ids.map((id) => `${id} ${refusalStatus[id] ?? 'done'}`);
}

describe.each(apis)('%s', (api) => {
  // An idle listener makes the jobs of later samples wait for the client, so its sample runs last.
  const all = samples(api).toSorted(
    (one, other) => Number(one.id === 'openListener') - Number(other.id === 'openListener'),
  );
  const source = (one: { samples: Sample[] }, label: string) =>
    one.samples.find((sample) => sample.label === label)?.source ?? '';

  it('every operation has a sample in each language, with the credential from the environment', () => {
    for (const { samples } of all) {
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python', 'Java', 'PHP', 'C#', 'Go']);
      for (const { source } of samples) expect(source).not.toMatch(/\{\{|undefined|\[object/);
    }
  });

  it('curl', async () => {
    const sandbox = await testSandbox();
    const calls = all.map((one) => {
      const call = source(one, 'curl').replace(
        /^curl /,
        `curl -s -o /dev/null --max-time 5 -w '${one.id} %{http_code}\n' `,
      );
      return `${call} || [ $? = 28 ]`;
    });
    const script = readdressed(`set -eu\n${calls.join('\n')}`, sandbox.origin);
    const { stdout } = await shell(script, await environment(sandbox));
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/ [23]\d\d$/, ' done'));
    expect(lines).toEqual(expected(all.map(({ id }) => id)));
  });

  it('JavaScript', async () => {
    const sandbox = await testSandbox();
    const parts = all.map((one) => {
      const [imports = '', ...body] = source(one, 'JavaScript').split('\n');
      return { imports, call: `report('${one.id}', async () => {${body.join('\n')}})` };
    });
    const module = `${[...new Set(parts.map(({ imports }) => imports))].join('\n')}
const print = console.log;
console.log = () => {};
const late = () => new Promise((end) => setTimeout(end, 1000));
async function report(id, call) {
  try {
    await Promise.race([call(), late()]);
    print(id, 'done');
  } catch (error) {
    print(id, error.message.replace(id + ' answered ', ''));
  }
}
${parts.map(({ call }) => `await ${call};`).join('\n')}
process.exit(0);`;
    const { stdout } = await node(readdressed(module, sandbox.origin), await environment(sandbox));
    expect(stdout.trim().split('\n')).toEqual(expected(all.map(({ id }) => id)));
  });
});
