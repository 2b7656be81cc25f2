/** Tests the warning about a webhook address that is registered twice (OP-26). */
import { expect, it } from 'vitest';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

/** Returns the code and severity of each finding. */
async function codes({ control }: TestSandbox) {
  return ok(await control.GET('/findings')).items.map(({ code, severity }) => [code, severity]);
}

it('OP-26: an address that is registered twice is a warning, unless it was deleted in between', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const register = async (url: string) => ok(await rewards.POST('/v1/partner/webhooks', { body: { url } })).webhook_id;
  const webhook_id = await register('http://127.0.0.1:9/one');
  await register('http://127.0.0.1:9/two');
  await rewards.DELETE('/v1/partner/webhooks', { params: { query: { webhook_id } } });
  await register('http://127.0.0.1:9/one');
  expect(await codes(sandbox)).toEqual([]);
  await register('http://127.0.0.1:9/one');
  expect(await codes(sandbox)).toEqual([['request.trace.webhook-registered-once', 'warning']]);
});
