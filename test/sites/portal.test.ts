/** Tests the portal without a browser: the text of its pages, and one order per form (OP-20, OP-96). */
import { describe, expect, it } from 'vitest';
import { advance, kettle, setBalance, vendorWill, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf, ledgerOf } from '../harness/state.ts';
import { enter, hidden, look, onward, orderFields, send, words } from '../harness/visitor.ts';

const uid = 'CUST0007';
const where = { address: '12 Lake View Road, Bengaluru', pincode: '560038', state: '29' };

async function ordersOf(sandbox: TestSandbox) {
  return (await eventsOf(sandbox))['order.placed'] ?? 0;
}

describe('the catalogue', () => {
  it('is filtered by kind, searched and paged, with points and rupees (OP-96)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const shelf = async (query: string) =>
      words(await look(`${session}rewards${query}`)).replace(/^.*? Within your balance Search by name Search /, '');
    expect(await shelf('')).toMatch(
      /^150 rewards, 146 within your balance Spice Route Kitchen Gift voucher 100 to 2,000 points ₹100 Spice Route Kitchen e-gift voucher 100, 100 points ₹250 .*Page 1 of 3 Next$/,
    );
    expect(await shelf('?type=physical&q=')).toMatch(
      /^44 rewards, 42 within your balance .* Monsoon umbrella, indigo, 648 points, Unavailable .*/,
    );
    expect(await shelf('?type=physical&q=kettle&page=1')).toBe(
      '4 rewards, all within your balance Steel electric kettle 1.5 l Product 1,548 points ₹1,499 ' +
        ['indigo', 'marigold', 'sandal', 'peacock']
          .map((colour) => `${colour} Steel electric kettle 1.5 l, ${colour}, 1,548 points`)
          .join(' '),
    );
    expect(await shelf('?q=spice+500')).toBe(
      '1 reward, all within your balance Spice Route Kitchen e-gift voucher 500 Gift voucher 500 points ₹500 ₹500 Spice Route Kitchen e-gift voucher 500, 500 points',
    );
    expect(await shelf('?page=3')).toMatch(/Previous Page 3 of 3$/);
    expect(await shelf('?q=no+such+thing')).toBe('No rewards match “no such thing”. Show all rewards');
  });

  it('OP-184: filters by balance, shows the share of each price that it covers, and keeps the filter in every address', async () => {
    const sandbox = await testSandbox();
    await setBalance(sandbox, uid, 251);
    const session = await enter(sandbox, uid);
    const page = await look(`${session}rewards?type=egv&q=kitchen+voucher&within=balance`);
    expect(words(page)).toMatch(
      / ✓ Within your balance Search by name Search 5 rewards, 2 within your balance Spice Route Kitchen Gift voucher 100 to 250 points ₹100 [^₹]* ₹250 [^₹]*$/,
    );
    expect(page.text).toContain('<rect width="40" height="1"></rect>');
    expect(hidden(page)).toEqual({ type: 'egv', within: 'balance' });
    const all = await look(`${session}rewards?type=egv&q=kitchen+voucher`);
    expect(words(all)).toMatch(/ 500 points, 249 points to go .* 249 points to go for ₹500$/);
    const links = (text: string) =>
      [...text.matchAll(/<a (?:class="only" )?href="([^"]*)"[^>]* data-loads/g)].map(([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      );
    expect(links(page.text)).toEqual([
      'rewards?q=kitchen+voucher&within=balance',
      'rewards?type=egv&q=kitchen+voucher&within=balance',
      'rewards?type=physical&q=kitchen+voucher&within=balance',
      'rewards?type=egv&q=kitchen+voucher',
    ]);
    const dear = await look(`${session}rewards?type=physical&within=balance`);
    expect(words(dear)).toContain(
      '44 rewards, 0 within your balance You don’t have enough points for any of these. Show all rewards',
    );
    // An unavailable reward never counts as within the balance.
    expect(words(await look(`${session}rewards?q=metro`))).toContain(' 1 reward, 0 within your balance ');
    expect((await look(`${session}rewards?within=wallet`)).status).toBe(400);
  });

  it('OP-184: a reward says how many points it leaves, or how many are missing', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    expect(words(await look(`${session}rewards/${voucher.sku}`))).toContain(
      ' 500 points ₹500 5% of your balance, you keep 10,750 points Your rewards programme ',
    );
    for (const [balance, expectedText] of [
      [499, 'You have 99% of these points, 1 point to go'],
      [0, 'You have 0% of these points, 500 points to go'],
      [500, '100% of your balance, you keep 0 points'],
    ] as const) {
      await setBalance(sandbox, uid, balance);
      expect(words(await look(`${session}rewards/${voucher.sku}`))).toContain(expectedText);
    }
  });

  it('OP-183: the balance appears on each page once, in its header', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    await send(`${session}orders`, await orderFields(session, voucher.sku));
    for (const page of ['rewards', 'rewards?within=balance', `rewards/${voucher.sku}`]) {
      const { text } = await look(session + page);
      expect(text.match(/10,750(?= points)/g), page).toEqual(['10,750']);
    }
  });

  it('OP-183: a reward links to the others of its brand; one that is in no listing has no links', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const page = await look(`${session}rewards/${voucher.sku}`);
    const chips = [...page.text.matchAll(/<a class="chip" href="([^"]*)"(?: aria-current="(true)")?/g)];
    expect(chips.map(([, href, here]) => [href, here])).toEqual(
      [100, 250, 500, 1000, 2000].map((value) => [`EGV-SPICE-${value}`, value === 500 ? 'true' : undefined]),
    );
    expect((await look(`${session}rewards/MAGIC-EGV-REJECTED`)).text).not.toContain('class="chip');
  });
});

describe('an order', () => {
  it('G13, G15, G17: costs what its page states, shows its progress to delivery, and shows no voucher', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const { form_key = '' } = hidden(await look(`${session}rewards/${voucher.sku}`));
    const checkout = await look(`${session}checkout?sku=${voucher.sku}&quantity=2&form_key=${form_key}`);
    expect(words(checkout)).toBe(
      'Back Review your order Spice Route Kitchen e-gift voucher 500 Quantity 2 Reward 1,000 points Total 1,000 points ' +
        '9% of your balance, you keep 10,250 points Redeem 1,000 points Points are deducted immediately and refunded if the order is rejected.',
    );
    const orderReply = await send(`${session}orders`, hidden(checkout));
    expect(orderReply.status).toBe(303);
    const pending = await look(onward(orderReply));
    expect(words(pending)).toMatch(
      /^All orders Order placed Order ORD-\S+ · 12 Jan 2026, \d\d?:\d\d am IST Spice Route Kitchen e-gift voucher 500 Quantity 2 Pending Placed \(done\) With vendor \(now\) Delivered \(to come\) Your order is with the vendor\. /,
    );
    expect(pending.text).toContain('<noscript><meta http-equiv="refresh" content="3"/></noscript>');
    expect(pending.text).toContain('10,250 points');

    await advance(sandbox, 2);
    const delivered = await look(onward(orderReply));
    expect(words(delivered)).toMatch(
      /^All orders Delivered Order .* Delivered Placed \(done\) With vendor \(done\) Delivered \(done\) Your voucher has been issued\. Your rewards programme sends it to you\. /,
    );
    expect(delivered.text).not.toContain('http-equiv="refresh"');
    const rewards = sandbox.rewards(await sandbox.companyToken());
    const { data: vouchers } = ok(await rewards.GET('/getwalletdetail', { params: { query: { uid } } }));
    expect(vouchers).toHaveLength(2);
    for (const { voucherCode } of vouchers) expect(delivered.text).not.toContain(voucherCode);
  });

  it('OP-124: shows tax and fee as parts of its points, and their total in the history', async () => {
    const sandbox = await testSandbox();
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { tds_percent: 2, processing_fee_egv: 7 } } }));
    const session = await enter(sandbox, uid);
    const orderUrl = onward(await send(`${session}orders`, await orderFields(session, voucher.sku)));
    expect(words(await look(orderUrl))).toContain(
      'Points 517 points (including 10 points tax (TDS) and 7 points processing fee) Redemption code',
    );
    expect(words(await look(`${session}history`))).toContain('Pending −517 points');
  });

  it('OP-161: with an expired voucher says so, on its page and in the history', async () => {
    const sandbox = await testSandbox();
    const first = await enter(sandbox, uid);
    const orderUrl = onward(await send(`${first}orders`, await orderFields(first, voucher.sku)));
    await advance(sandbox, 2);
    await advance(sandbox, 365 * 86_400);
    const session = await enter(sandbox, uid);
    const orderText = words(await look(`${session}orders/${orderUrl.split('/').at(-1)}`));
    const expired = 'xpired on 12 Jan 2027, 10:00 am IST';
    expect(orderText).toMatch(
      new RegExp(
        `^All orders Delivered Order .* Delivered Placed \\(done\\) With vendor \\(done\\) Delivered \\(done\\) Your voucher e${expired}\\. Points `,
      ),
    );
    expect(words(await look(`${session}history`))).toContain(` E${expired} Redeemed `);
  });

  it('OP-127: that is pending can be cancelled with a button, which refunds the points', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const orderUrl = onward(await send(`${session}orders`, await orderFields(session, voucher.sku)));
    const pending = await look(orderUrl);
    const [, action = ''] = /<form method="post" action="([^"]*cancel)"/.exec(pending.text) ?? [];
    expect(words(pending)).toContain('Cancel order');
    const cancelReply = await send(new URL(action, orderUrl).href);
    expect([cancelReply.status, onward(cancelReply)]).toEqual([303, orderUrl]);
    const cancelledPage = await look(orderUrl);
    expect(words(cancelledPage)).toMatch(
      /^All orders Order cancelled .* Rejected Placed \(done\) Cancelled \(ended here\) Points refunded \(now\) Your points are being refunded\. Reason: Cancelled by the customer /,
    );
    expect(cancelledPage.text).not.toContain('Cancel order');
    // The button on an outdated page has the same effect.
    expect(onward(await send(`${orderUrl}/cancel`))).toBe(orderUrl);
    await advance(sandbox, 60);
    expect(words(await look(orderUrl))).toMatch(
      /^All orders Order cancelled .* Reversed Placed \(done\) Cancelled \(ended here\) Points refunded \(done\) Your points were refunded\. /,
    );
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 11_250 });
  });

  it('OP-129: that was delivered in the meantime is not cancelled, and the page says why; another customer’s order cannot be', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const orderUrl = onward(await send(`${session}orders`, await orderFields(session, voucher.sku)));
    const other = await enter(sandbox, 'CUST0001');
    const foreign = await send(orderUrl.replace(session, other).concat('/cancel'));
    expect(foreign.status).toBe(404);
    await advance(sandbox, 2);
    const late = await send(`${orderUrl}/cancel`);
    expect([late.status, words(late)]).toEqual([
      409,
      'It is too late to cancel Your order is already Delivered. Nothing has changed. Back to your order',
    ]);
    const [, back = ''] = /<a class="button" href="([^"]*)"/.exec(late.text) ?? [];
    expect(new URL(back, late.url).href).toBe(orderUrl);
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_750, entries: [{}, { label: 'Redeemed' }] });
  });

  it('G16, S13: that is rejected says why, and shows the refund of the points', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not sold in this region' });
    ok(await sandbox.control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'reset', times: 1 } }));
    const orderUrl = onward(await send(`${session}orders`, await orderFields(session, voucher.sku)));
    await advance(sandbox, 2);
    expect(words(await look(orderUrl))).toMatch(
      /^All orders Order rejected Order .* Rejected Placed \(done\) Rejected \(ended here\) Points refunded \(now\) Your points are being refunded\. Reason: Not sold in this region Points 500 points /,
    );
    await advance(sandbox, 5);
    const reversed = await look(orderUrl);
    expect(words(reversed)).toMatch(
      / Reversed Placed \(done\) Rejected \(ended here\) Points refunded \(done\) Your points were refunded\. Reason: .* Points 500 points refunded /,
    );
    expect(reversed.text).toContain('11,250 points');
  });

  it('of a product asks for an address, sends it to the client (OP-05), and shows it (OP-185)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const fields = await orderFields(session, kettle.sku);
    const wrong = await send(`${session}orders`, { ...fields, address: ' 1 ', pincode: '56003', state: '99' });
    expect(wrong.status).toBe(422);
    expect(words(wrong)).toMatch(/Enter the house, street and city\..*Enter a six-digit pincode\..*Choose a state\./);
    expect(hidden(wrong)).toEqual(fields);
    expect(await ordersOf(sandbox)).toBe(0);
    const orderReply = await send(`${session}orders`, { ...fields, ...where });
    expect(orderReply.status).toBe(303);
    const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { uid, limit: 10_000 } } }));
    const deduction = items.find((item) => item.kind === 'call_out' && item.operation === 'saveRedeemDetails');
    expect(deduction).toMatchObject({
      request: {
        shippingAddress: '12 Lake View Road, Bengaluru, Karnataka, 560038',
        redeemPoints: '1499',
        processingFee: '49',
      },
    });
    const destination = 'to 12 Lake View Road, Bengaluru, Karnataka, 560038 Points 1,548 points';
    expect(words(await look(onward(orderReply)))).toContain(` Ships ${destination}`);
    await advance(sandbox, 2);
    expect(words(await look(onward(orderReply)))).toContain(` Your order was delivered. Shipped ${destination}`);
  });

  it('G12: beyond the balance is refused, by the page and by the order itself', async () => {
    const sandbox = await testSandbox();
    await setBalance(sandbox, uid, 499);
    const session = await enter(sandbox, uid);
    const { form_key = '' } = hidden(await look(`${session}rewards/${voucher.sku}`));
    const checkout = await look(`${session}checkout?sku=${voucher.sku}&quantity=1&form_key=${form_key}`);
    expect(words(checkout)).toContain(
      'Insufficient balance You need 500 points and have 499 points. Nothing was ordered.',
    );
    expect(checkout.text).not.toContain('action="orders"');
    const orderReply = await send(`${session}orders`, { form_key, sku: voucher.sku, quantity: '1' });
    expect(orderReply.status).toBe(422);
    expect(words(orderReply)).toMatch(/^Insufficient balance You need 500 points and have 499\. Nothing was ordered /);
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 499 });
    expect(await ordersOf(sandbox)).toBe(0);
    // The form is still valid. With enough points, it places the order.
    await setBalance(sandbox, uid, 500);
    expect((await send(`${session}orders`, { form_key, sku: voucher.sku, quantity: '1' })).status).toBe(303);
  });

  it('sent several times concurrently, after the back button, or from a second tab is one order (OP-20, OP-96)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const [fields, otherTab] = [await orderFields(session, voucher.sku), await orderFields(session, voucher.sku)];
    const replies = await Promise.all([fields, fields, otherTab].map((form) => send(`${session}orders`, form)));
    const again = await send(`${session}orders`, fields);
    expect([...replies, again].map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(new Set([...replies, again].map(onward)).size).toBe(1);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await send(`${session}orders`, { ...fields, quantity: '2' });
    expect([other.status, words(other)]).toEqual([409, expect.stringMatching(/^This order was already sent /)]);
    expect(await ordersOf(sandbox)).toBe(1);
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_750 });
    // Starting again from the reward places another order.
    expect((await send(`${session}orders`, await orderFields(session, voucher.sku))).status).toBe(303);
    expect(await ordersOf(sandbox)).toBe(2);
  });

  it('that the client refused or did not answer can be retried with a new form', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    ok(await sandbox.control.POST('/faults', { body: { target: 'saveRedeemDetails', fault: 'reset', times: 3 } }));
    const fields = await orderFields(session, voucher.sku);
    const failed = await send(`${session}orders`, fields);
    expect([failed.status, words(failed)]).toEqual([502, expect.stringMatching(/^Your account is unavailable /)]);
    expect((await send(`${session}orders`, fields)).status).toBe(502);
    expect((await send(`${session}orders`, await orderFields(session, voucher.sku))).status).toBe(303);
    expect(await ordersOf(sandbox)).toBe(1);
  });
});

it('S10, S11, S12, S13: history lists Earned, Pending, Redeemed and Reversed, newest first, with running balances (OP-185)', async () => {
  const sandbox = await testSandbox();
  const session = await enter(sandbox, uid);
  const payment = { uid, paymentAmount: '12500.50' };
  ok(await sandbox.control.POST('/triggers/payment', { body: payment }));
  await vendorWill(sandbox, 'EGV-CHAI-100', { outcome: 'reject', reason: 'Sold out' });
  for (const sku of [voucher.sku, 'EGV-CHAI-100']) await send(`${session}orders`, await orderFields(session, sku));
  await advance(sandbox, 2);
  await send(`${session}orders`, await orderFields(session, 'EGV-BOOKS-250'));
  expect(words(await look(`${session}history`))).toMatch(
    new RegExp(
      [
        '^History Total earned 11,375 points Total redeemed 750 points',
        'Banyan Books e-gift voucher 250 12 Jan 2026, \\S+ am IST · ORD-000003-\\S+ Pending −250 points 10,625 points left',
        'Chai Junction e-gift voucher 100 12 Jan 2026, \\S+ am IST · ORD-000002-\\S+ Reason: Sold out Reversed 100 points refunded 10,875 points left',
        'Spice Route Kitchen e-gift voucher 500 12 Jan 2026, \\S+ am IST · ORD-000001-\\S+ Redeemed −500 points 10,875 points left',
        'Payment of ₹12,500.50 12 Jan 2026, \\S+ am IST · \\S+ Earned \\+125 points 11,375 points left',
        'Running balances are calculated from your current balance. Points earned elsewhere are included in your balance but not listed.$',
      ].join(' '),
    ),
  );
});
