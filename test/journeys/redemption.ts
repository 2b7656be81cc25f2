/**
 * The redemption journey of a new client company, over HTTP and with the typed clients. It uses one sandbox and one
 * customer, and each step builds on the previous ones.
 *
 * The proxy validates each reply against its contract. The tests of each operation assert complete bodies, and the failure
 * variants.
 */
import { describe, expect, it } from 'vitest';
import { advance } from '../harness/orders.ts';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { itemOf, ledgerOf } from '../harness/state.ts';
import { voucherRecord } from '../harness/wallet.ts';

describe('G2, M1: a customer earns points, redeems them, and finds the vouchers in the wallet', () => {
  it.each(['report', 'enforce'] as const)(
    'payment event -> credit -> OTP -> session -> catalogue -> order -> deduction -> vendor -> Delivered -> wallet, proxy in mode %s',
    async (mode) => {
      const sandbox = await proxiedSandbox({}, mode);
      const { control, auth, rewards, credentials } = sandbox;
      const uid = 'ASHA-01';

      // The client has a customer without points.
      ok(await control.POST('/customers', { body: { uid, profile: { name: 'Asha Menon' } } }));
      expect((await ledgerOf(sandbox, uid)).balance).toBe(0);

      // The client's server signs in with the company secret.
      const company = ok(await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } }));
      const platform = rewards(company.token);

      // The customer pays 3,00,000.50 INR and the client reports the payment. The platform calculates and credits the points.
      const payment = {
        uid,
        eventType: 'DIGITAL_PAYMENT',
        transactionId: 'UPI-0001',
        paymentAmount: '300000.50',
        occurred_at: '2026-01-12T04:29:00.000Z',
      } as const;
      const paymentReply = ok(await platform.POST('/v1/partner/events/payment', { body: payment }));
      expect(paymentReply.points).toBe(3000);
      expect(ok(await control.POST('/settle'))).toMatchObject({ now: '2026-01-12T04:30:00.000Z', ran: 1 });
      const credited = { kind: 'credit', points: 3000, reference: 'UPI-0001', label: 'Earned' };
      expect(await ledgerOf(sandbox, uid)).toEqual({ balance: 3000, entries: [credited] });

      // The customer signs in on the microsite. The OTP arrives in a message, and the client exchanges it for a JWT.
      const { reference_id } = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
      const otp = ok(await control.GET('/messages', { params: { query: { uid } } })).items[0]?.otp ?? '';
      const verified = ok(
        await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: uid, otp, reference_id } }),
      );
      expect(verified.points).toEqual({ totalEarned: 3000, balance: 3000, totalRedeemed: 0 });

      // The platform opens a session for that JWT after the client has confirmed it.
      const session = ok(await platform.POST('/v1/customer/auth', { body: { uid, token: verified.token } }));
      expect(session).toMatchObject({ profile: { uid, name: 'Asha Menon' }, points: verified.points });

      // The client copies the whole catalogue once, page by page.
      const items = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit: 60, ...(cursor !== undefined && { cursor }) };
        const page = ok(await platform.GET('/v1/partner/rewards', { params: { query } }));
        items.push(...page.items);
        cursor = page.next_cursor;
      }
      expect(new Set(items.map(({ sku_code }) => sku_code)).size).toBe(150);
      const stock = (await itemOf(sandbox))?.stock ?? 0;

      // The customer orders two vouchers and a kettle. The client deducts both lines before the order is placed.
      const cart = {
        uid,
        line_items: [
          { sku: 'EGV-SPICE-500', quantity: 2 },
          { sku: 'PHY-KETTLE-01', quantity: 1 },
        ],
        shipping_address: '12 Lake View Road, Indiranagar, Bengaluru 560038',
        reference_id: 'CART-1',
      };
      const params = { header: { 'Idempotency-Key': 'cart-1' } };
      const place = () => rewards(session.token).POST('/v1/partner/redeemptiononskus', { body: cart, params });
      const order = ok(await place());
      const [vouchers = '', kettle = ''] = order.lines.map(({ redeemCode }) => redeemCode);
      const deductedWith = (label: string) => [
        { kind: 'deduct', points: 1000, reference: vouchers, label },
        { kind: 'deduct', points: 1548, reference: kettle, label },
      ];
      expect(await ledgerOf(sandbox, uid)).toEqual({ balance: 452, entries: [credited, ...deductedWith('Pending')] });

      // Two seconds later, the vendors have delivered.
      // The client has received the reports and has sent the vouchers to the customer.
      // One wallet read serves both redemptions, so five jobs run instead of six (OP-92).
      expect(await advance(sandbox, 2)).toBe(5);
      const redeemed = { balance: 452, entries: [credited, ...deductedWith('Redeemed')] };
      expect(await ledgerOf(sandbox, uid)).toEqual(redeemed);

      // The wallet contains one voucher per unit, and none for the kettle. The stock has decreased.
      const wallet = ok(await platform.GET('/getwalletdetail', { params: { query: { uid } } }));
      const voucher = voucherRecord(vouchers);
      expect(wallet).toEqual({ success: true, status: 200, data: [voucher, voucher] });
      const messages = ok(await control.GET('/messages', { params: { query: { uid } } })).items;
      expect(messages.map(({ kind }) => kind)).toEqual(['delivered', 'voucher', 'voucher', 'otp', 'credited']);
      for (const { voucherCode } of wallet.data) expect(messages.map(({ text }) => text).join()).toContain(voucherCode);
      expect((await itemOf(sandbox))?.stock).toBe(stock - 2);

      // The log contains each call of the journey, and no call failed.
      const log = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } })).items;
      expect(log.filter((entry) => 'status' in entry && (entry.status ?? 500) >= 400)).toEqual([]);

      // Repeating the payment and the order has no second effect, and no job remains.
      expect(ok(await platform.POST('/v1/partner/events/payment', { body: payment }))).toEqual(paymentReply);
      const again = await place();
      expect([ok(again), again.response.headers.get('Idempotent-Replayed')]).toEqual([order, 'true']);
      expect(await advance(sandbox, 3000)).toBe(0);
      expect(await ledgerOf(sandbox, uid)).toEqual(redeemed);
      expect(ok(await platform.GET('/getwalletdetail', { params: { query: { uid } } }))).toEqual(wallet);
    },
  );
});
