/** Tests that calls on one connection have the same parameters only if their heads are identical. */
import { Agent, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';

/** The parts of a reply that these tests check. */
interface ReplyFields {
  readonly status: number;
  readonly items?: readonly unknown[];
  readonly sku_code?: string;
  readonly stock?: number;
}

/** Sends calls in sequence over one connection. */
function caller(headers: Readonly<Record<string, string>> = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (method: string, url: string, body?: string): Promise<ReplyFields> => {
    const { promise, resolve, reject } = Promise.withResolvers<ReplyFields>();
    request(url, { agent, method, headers }, async (response) => {
      resolve({ status: response.statusCode, ...JSON.parse((await response.toArray()).join('')) });
    })
      .on('error', reject)
      .end(body);
    return promise;
  };
}

it('OP-12: each page has the limit of its own call, and an invalid limit is refused each time', async () => {
  const sandbox = await testSandbox();
  const call = caller({ Authorization: await sandbox.companyToken() });
  const answers = [];
  for (const limit of [2, 2, 'many', 'many', 3, 2]) {
    const { status, items } = await call('GET', `${sandbox.urls.rewards}/v1/partner/rewards?limit=${limit}`);
    answers.push([status, items?.length]);
  }
  const refusal = [400, undefined];
  expect(answers).toEqual([[200, 2], [200, 2], refusal, refusal, [200, 3], [200, 2]]);
});

it('each call changes the item that its own address names', async () => {
  const sandbox = await testSandbox();
  const call = caller({ 'Content-Type': 'application/json' });
  const skus = ['EGV-SPICE-100', 'EGV-SPICE-100', 'EGV-SPICE-250', 'EGV-SPICE-100'];
  const answers = [];
  for (const [stock, sku] of skus.entries()) {
    const changed = await call('PATCH', `${sandbox.urls.sandbox}/catalogue/${sku}`, JSON.stringify({ stock }));
    answers.push([changed.sku_code, changed.stock]);
  }
  expect(answers).toEqual(skus.map((sku, stock) => [sku, stock]));
});
