/** Tests the failure variants of the redemption journey from the perspective of the customer and the client. */
import { describe, expect, it } from 'vitest';
import { flat, plain, refusal, tokenInvalid } from '../harness/envelopes.ts';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok, raw, signIn, type TestSandbox } from '../harness/sandbox.ts';

const ledgerOf = async ({ control }: TestSandbox, uid: string) =>
  ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));

/** Creates a signed-in customer with `balance` points. */
async function signedIn(sandbox: TestSandbox, uid: string, balance: number) {
  ok(await sandbox.control.POST('/customers', { body: { uid, points: { balance } } }));
  return signIn(sandbox, uid);
}

describe('the vendor rejects', () => {
  it('the client refunds exactly totalPointWithProcessingFee, and the wallet stays empty', async () => {
    const sandbox = await proxiedSandbox();
    const { control, rewards } = sandbox;
    const { customerToken, companyToken } = await signedIn(sandbox, 'RAVI-01', 2000);
    const path = { sku_code: 'PHY-KETTLE-01' };
    ok(
      await control.PUT('/vendor-outcomes/{sku_code}', {
        params: { path },
        body: { outcome: 'reject', reason: 'Not shipped to this pincode' },
      }),
    );
    const order = ok(
      await rewards(customerToken).POST('/v1/partner/redeemptiononskus', {
        body: {
          uid: 'RAVI-01',
          line_items: [{ sku: 'PHY-KETTLE-01', quantity: 1 }],
          shipping_address: '4 Fort Road, Pune 411005',
        },
      }),
    );
    expect(order.points.totalPointWithProcessingFee).toBe(1548);
    expect((await ledgerOf(sandbox, 'RAVI-01')).balance).toBe(452);

    ok(await control.POST('/clock/advance', { body: { seconds: 2 } }));

    const [redeemCode] = order.lines.map((line) => line.redeemCode);
    const [start, end] = ['2026-01-12T04:30:00.000Z', '2026-01-12T04:30:02.000Z'];
    expect(await ledgerOf(sandbox, 'RAVI-01')).toEqual({
      items: [
        { kind: 'credit', points: 2000, reference: 'opening', label: 'Earned', at: start },
        { kind: 'deduct', points: 1548, reference: redeemCode, label: 'Reversed', at: start },
        { kind: 'reverse', points: 1548, reference: redeemCode, label: 'Reversed', at: end },
      ],
      balance: 2000,
      next: null,
    });
    const uid = 'RAVI-01';
    const wallet = ok(await rewards(companyToken).GET('/getwalletdetail', { params: { query: { uid } } }));
    expect(wallet).toEqual({ success: true, status: 200, data: [] });
    const query = { redeem_code: redeemCode ?? '' };
    const { items } = ok(await control.GET('/activity', { params: { query } }));
    const report = items.find((entry) => entry.kind === 'call_in' && entry.operation === 'updateRedeemStatus');
    expect(report).toMatchObject({
      status: 200,
      request: {
        redeemCode,
        status: 'Rejected',
        orderStatus: 'Rejected',
        remark: 'Not shipped to this pincode',
        projectCode: 'DEMO01',
      },
    });
  });
});

describe('the balance does not cover the order', () => {
  it('the customer gets the insufficient-balance message, no order is placed and nothing is deducted', async () => {
    const sandbox = await proxiedSandbox();
    const { customerToken } = await signedIn(sandbox, 'MEERA-01', 400);
    const before = await ledgerOf(sandbox, 'MEERA-01');
    const answer = await sandbox.rewards(customerToken).POST('/v1/partner/redeemptiononskus', {
      body: { uid: 'MEERA-01', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] },
    });
    expect(refusal(answer)).toEqual(flat(422, 54, 'Insufficient balance: 500 points needed, 400 available'));
    expect(await ledgerOf(sandbox, 'MEERA-01')).toEqual(before);
    const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { uid: 'MEERA-01' } } }));
    const events = items.flatMap((entry) =>
      entry.kind === 'state' ? [entry.event] : [`${entry.kind} ${entry.operation}`],
    );
    expect(events).not.toContain('order.placing');
    expect(events).not.toContain('call_in saveRedeemDetails');
  });
});

describe('the token is bad', () => {
  it('the client answers 422 Token Invalid, and no session opens', async () => {
    const sandbox = await proxiedSandbox();
    const { rewards, urls } = sandbox;
    const { companyToken, jwt } = await signedIn(sandbox, 'KIRAN-01', 400);
    const forged = `${jwt.slice(0, -3)}AAA`;
    const profile = await raw(`${urls.client}/getProfileAndPoints?uid=KIRAN-01`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${forged}` },
    });
    expect(plain(profile)).toEqual(tokenInvalid);
    const entry = await rewards(companyToken).POST('/v1/customer/auth', { body: { uid: 'KIRAN-01', token: forged } });
    expect(refusal(entry)).toEqual(flat(422, 56, 'Refused by the client: Token Invalid'));
  });
});

describe('calls are repeated', () => {
  it('a repeated report gets the same answer and reverses nothing twice', async () => {
    const sandbox = await proxiedSandbox();
    const { control, rewards, client } = sandbox;
    const { customerToken } = await signedIn(sandbox, 'LATA-01', 1000);
    const params = { path: { sku_code: 'EGV-SPICE-500' } };
    ok(await control.PUT('/vendor-outcomes/{sku_code}', { params, body: { outcome: 'out_of_stock' } }));
    const order = ok(
      await rewards(customerToken).POST('/v1/partner/redeemptiononskus', {
        body: { uid: 'LATA-01', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] },
      }),
    );
    ok(await control.POST('/clock/advance', { body: { seconds: 2 } }));
    const after = await ledgerOf(sandbox, 'LATA-01');
    expect(after.balance).toBe(1000);
    const redeemCode = order.lines[0]?.redeemCode ?? '';
    const report = {
      redeemCode,
      status: 'Rejected',
      orderStatus: 'Rejected',
      remark: 'Product out of stock',
      projectCode: 'DEMO01',
    } as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client().POST('/updateRedeemStatus', { body: report })),
    );
    for (const answer of answers) expect(ok(answer)).toEqual({ success: true, status: 200 });
    expect(await ledgerOf(sandbox, 'LATA-01')).toEqual(after);
  });

  it('the same payment event, ten times concurrently, is credited once', async () => {
    const sandbox = await proxiedSandbox();
    const { control, rewards } = sandbox;
    const { companyToken } = await signedIn(sandbox, 'OM-01', 0);
    const body = { uid: 'OM-01', eventType: 'DIGITAL_PAYMENT', transactionId: 'UPI-7', paymentAmount: '1000' } as const;
    const events = Array.from({ length: 10 }, () => rewards(companyToken).POST('/v1/partner/events/payment', { body }));
    for (const answer of await Promise.all(events)) {
      expect(ok(answer)).toEqual({ success: true, status: 202, transactionId: 'UPI-7', points: 10 });
    }
    expect(ok(await control.POST('/settle')).ran).toBe(1);
    expect((await ledgerOf(sandbox, 'OM-01')).balance).toBe(10);
  });
});
