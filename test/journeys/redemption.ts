/**
 * The redemption journey as a new client company experiences it, over HTTP and through the typed clients. One
 * sandbox, one customer; the steps build on each other. Its siblings, where something goes wrong, are in
 * `setbacks.ts`.
 */
import { describe, expect, it } from 'vitest';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok, raw } from '../harness/sandbox.ts';
import { voucherRecord } from '../harness/wallet.ts';

describe('G2, M1: a customer earns points, redeems them, and finds the vouchers in the wallet', () => {
  it.each(['report', 'enforce'] as const)(
    'payment event -> credit -> OTP -> session -> catalogue -> order -> deduction -> vendor -> Delivered -> wallet, proxy in mode %s',
    async (mode) => {
      const { control, auth, rewards, credentials, urls } = await proxiedSandbox({}, mode);
      const uid = 'ASHA-01';

      // The client knows a customer without points.
      const customer = ok(await control.POST('/customers', { body: { uid, profile: { name: 'Asha Menon' } } }));
      expect(customer.points).toEqual({ totalEarned: 0, balance: 0, totalRedeemed: 0 });

      // The client's server signs in with the company secret.
      const company = ok(await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } }));
      expect(company).toEqual({
        success: true,
        status: 200,
        token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
      });
      const platform = rewards(company.token);

      // The customer pays 3,00,000.50 INR; the client reports it; the platform works out the points and credits them.
      const payment = {
        uid,
        eventType: 'DIGITAL_PAYMENT',
        transactionId: 'UPI-0001',
        paymentAmount: '300000.50',
        occurred_at: '2026-01-12T04:29:00.000Z',
      } as const;
      const paymentReply = await platform.POST('/v1/partner/events/payment', { body: payment });
      expect(paymentReply.response.status).toBe(202);
      expect(ok(paymentReply)).toEqual({ success: true, status: 202, transactionId: 'UPI-0001', points: 3000 });
      expect(ok(await control.POST('/settle'))).toMatchObject({ now: '2026-01-12T04:30:00.000Z', ran: 1 });
      const afterCredit = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
      expect(afterCredit).toEqual({
        items: [
          { kind: 'credit', points: 3000, reference: 'UPI-0001', label: 'Earned', at: '2026-01-12T04:30:00.000Z' },
        ],
        balance: 3000,
        next: null,
      });

      // The customer signs in on the microsite: the OTP arrives by message, and the client exchanges it for a JWT.
      const sent = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
      expect(sent).toEqual({
        success: true,
        status: 200,
        reference_id: expect.stringMatching(/^OTP-000001-/),
        expires_in: 300,
        mobile: `******${customer.profile.mobileNo.slice(-4)}`,
      });
      const outbox = ok(await control.GET('/messages', { params: { query: { uid } } }));
      const otp = outbox.items[0]?.otp ?? '';
      expect(outbox.items).toEqual([
        {
          seq: 2,
          source: 'reference_client',
          uid,
          kind: 'otp',
          channel: 'SMS',
          mobile: sent.mobile,
          reference_id: sent.reference_id,
          otp: expect.stringMatching(/^\d{6}$/),
          text: expect.stringContaining(otp),
          at: '2026-01-12T04:30:00.000Z',
        },
        {
          seq: 1,
          source: 'reference_client',
          uid,
          kind: 'credited',
          channel: 'SMS',
          mobile: sent.mobile,
          text: '3000 points were credited for your payment UPI-0001. Your balance is 3000 points.',
          at: '2026-01-12T04:30:00.000Z',
        },
      ]);
      const { reference_id } = sent;
      const verified = ok(
        await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: uid, otp, reference_id } }),
      );
      expect(verified).toEqual({
        success: true,
        status: 200,
        token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 1800,
        points: { totalEarned: 3000, balance: 3000, totalRedeemed: 0 },
      });

      // The platform opens a session for that JWT, after the client has confirmed it.
      const session = ok(await platform.POST('/v1/customer/auth', { body: { uid, token: verified.token } }));
      expect(session).toEqual({
        success: true,
        status: 200,
        token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 1800,
        profile: customer.profile,
        points: { totalEarned: 3000, balance: 3000, totalRedeemed: 0 },
      });

      // The client copies the whole catalogue once, page by page.
      const items = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit: 60, ...(cursor !== undefined && { cursor }) };
        const page = ok(await platform.GET('/v1/partner/rewards', { params: { query } }));
        expect(page.has_more).toBe(page.next_cursor !== null);
        items.push(...page.items);
        cursor = page.next_cursor;
      }
      expect(items).toHaveLength(150);
      expect(new Set(items.map(({ sku_code }) => sku_code)).size).toBe(150);
      expect(items.filter(({ product_type }) => product_type === 'EGV')).toHaveLength(106);

      // The customer orders two vouchers and a kettle.
      const cart = {
        uid,
        line_items: [
          { sku: 'EGV-SPICE-500', quantity: 2 },
          { sku: 'PHY-KETTLE-01', quantity: 1 },
        ],
        shipping_address: '12 Lake View Road, Indiranagar, Bengaluru 560038',
        reference_id: 'CART-1',
      };
      const order = ok(
        await rewards(session.token).POST('/v1/partner/redeemptiononskus', {
          body: cart,
          params: { header: { 'Idempotency-Key': 'cart-1' } },
        }),
      );
      const [vouchers, kettle] = order.lines.map(({ redeemCode }) => redeemCode);
      const line = { status: 'Pending', remark: '' };
      expect(order).toEqual({
        order_id: expect.stringMatching(/^ORD-000001-/),
        reference_id: 'CART-1',
        status: 'Pending',
        lines: [
          {
            ...line,
            redeemCode: expect.stringMatching(/^RDM-000001-/),
            sku_code: 'EGV-SPICE-500',
            product_type: 'EGV',
            product_name: 'Spice Route Kitchen e-gift voucher 500',
            quantity: 2,
            points: { redeemPoints: 1000, tdsPoints: 0, processingFee: 0, totalPointWithProcessingFee: 1000 },
          },
          {
            ...line,
            redeemCode: expect.stringMatching(/^RDM-000002-/),
            sku_code: 'PHY-KETTLE-01',
            product_type: 'PHYSICAL',
            product_name: 'Steel electric kettle 1.5 l, indigo',
            quantity: 1,
            points: { redeemPoints: 1499, tdsPoints: 0, processingFee: 49, totalPointWithProcessingFee: 1548 },
          },
        ],
        points: { redeemPoints: 2499, tdsPoints: 0, processingFee: 49, totalPointWithProcessingFee: 2548 },
        created_at: '2026-01-12T04:30:00.000Z',
        updated_at: '2026-01-12T04:30:00.000Z',
      });

      // The client has deducted both lines by the time the order is placed.
      const at = '2026-01-12T04:30:00.000Z';
      const pending = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
      expect(pending.items.slice(1)).toEqual([
        { kind: 'deduct', points: 1000, reference: vouchers, label: 'Pending', at },
        { kind: 'deduct', points: 1548, reference: kettle, label: 'Pending', at },
      ]);
      expect(pending.balance).toBe(452);

      // Two seconds later the vendors have delivered, and the client knows and has sent the vouchers to the customer. One
      // read of the wallet serves both redemptions, so five jobs run instead of six (OP-92).
      const advanced = ok(await control.POST('/clock/advance', { body: { seconds: 2 } }));
      expect(advanced).toMatchObject({ now: '2026-01-12T04:30:02.000Z', ran: 5 });
      const redeemed = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
      expect(redeemed.items.map(({ label }) => label)).toEqual(['Earned', 'Redeemed', 'Redeemed']);
      expect(redeemed.balance).toBe(452);

      // The wallet has one voucher for each unit, and none for the kettle.
      const wallet = ok(await platform.GET('/getwalletdetail', { params: { query: { uid } } }));
      const voucher = voucherRecord(vouchers);
      expect(wallet).toEqual({ success: true, status: 200, data: [voucher, voucher] });
      expect(new Set(wallet.data.map(({ voucherCode }) => voucherCode)).size).toBe(2);
      const messages = ok(await control.GET('/messages', { params: { query: { uid } } })).items;
      expect(messages.map(({ kind }) => kind)).toEqual(['delivered', 'voucher', 'voucher', 'otp', 'credited']);
      for (const { voucherCode } of wallet.data) expect(messages.map(({ text }) => text).join()).toContain(voucherCode);

      // Stock went down, and the catalogue shows it.
      const before = items.find(({ sku_code }) => sku_code === 'EGV-SPICE-500');
      const stockNow = ok(await control.GET('/catalogue')).items.find(({ sku_code }) => sku_code === 'EGV-SPICE-500');
      if (before?.product_type !== 'EGV') throw new Error('EGV-SPICE-500 is not an e-gift voucher');
      expect(stockNow?.stock).toBe(Number(before.qty) - 2);

      // Repeats of the payment, the order and the reports to the client have no second effect.
      expect(ok(await platform.POST('/v1/partner/events/payment', { body: payment }))).toEqual(ok(paymentReply));
      const again = await raw(`${urls.rewards}/v1/partner/redeemptiononskus`, {
        method: 'POST',
        headers: { Authorization: session.token, 'Content-Type': 'application/json', 'Idempotency-Key': 'cart-1' },
        body: JSON.stringify(cart),
      });
      expect(again.body).toEqual(order);
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      expect(ok(await control.POST('/clock/advance', { body: { seconds: 3000 } }))).toEqual({
        now: '2026-01-12T05:20:02.000Z',
        ran: 0,
        items: [],
      });
      expect(ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }))).toEqual(redeemed);
      const walletAgain = ok(await platform.GET('/getwalletdetail', { params: { query: { uid } } }));
      expect(walletAgain).toEqual(wallet);
    },
  );
});
