/** Runs the CI guide's final check against partners' servers. Only the correct server may pass. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../harness/blocks.ts';
import { advance, order, pay, vendorWill, voucher } from '../harness/orders.ts';
import { PartnerServer, type Wrong } from '../harness/partner-server.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { readdressed, shell } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';

/** Returns the block with the comparison, preceded by the address that the guide sets first. */
function recipe(): string {
  const blocks = blocksOf(join(root, 'docs/guides/ci.md'));
  const [address] = /^SANDBOX=.*$/m.exec(blocks.map(({ text }) => text).join('')) ?? [];
  const comparisons = blocks.filter(({ language, text }) => language === 'sh' && text.includes('/reconciliation'));
  expect([typeof address, comparisons.length]).toEqual(['string', 1]);
  return `${address}\n${comparisons[0]?.text}`;
}

/** Runs a job with an order, a rejected order and a credited payment, all with lost replies, followed by the final check. */
async function job(wrong?: Wrong) {
  const sandbox = await testSandbox();
  const server = await new PartnerServer(wrong).standIn(sandbox);
  for (const operation of ['saveRedeemDetails', 'updateRedeemStatus', 'creditPoints']) {
    server.plan.push({ operation, reaction: 'lose' });
  }
  ok(await order(sandbox, { line_items: [voucher] }));
  ok(await pay(sandbox));
  await advance(sandbox, 10);
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject' });
  ok(await order(sandbox, { line_items: [voucher] }));
  await advance(sandbox, 10);
  return shell(readdressed(recipe(), sandbox.origin));
}

it('OP-110: a right server passes', async () => {
  expect(await job()).toEqual({ code: 0, stdout: '{"items":[],"next":null}', stderr: '' });
});

it.each(['forgets the reversal', 'deducts twice on a repeat', 'credits twice on a repeat'] as const)(
  'OP-110: a server that %s fails, and the job says why',
  async (wrong) => {
    const { code, stdout } = await job(wrong);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).items).toMatchObject([{ uid: 'CUST0001', kind: 'balance_differs' }]);
  },
);
