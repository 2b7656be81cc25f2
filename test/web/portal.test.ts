/** The portal without a browser: who is let in, what its pages say, and that a form is one order (OP-34, OP-95, OP-96). */
import { describe, expect, it } from 'vitest';
import { advance, eventsOf, kettle, ledgerOf, vendorWill, voucher } from '../platform/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../sandbox.ts';
import { enter, entryFor, hidden, jwtFor, look, onward, orderFields, send, words } from './visitor.ts';

const uid = 'CUST0007';
const where = { address: '12 Lake View Road, Bengaluru', pincode: '560038', state: '29' };

async function ordersOf(sandbox: TestSandbox) {
  return (await eventsOf(sandbox))['order.placed'] ?? 0;
}

describe('the entry', () => {
  it('lets a customer in and takes the token out of the address (OP-34)', async () => {
    const sandbox = await testSandbox();
    const jwt = await jwtFor(sandbox, uid);
    const reply = await look(`${sandbox.urls.portal}/signin?token=${jwt}&uid=${uid}`);
    expect(reply.status).toBe(303);
    expect(reply.headers.get('location')).toMatch(/^\/portal\/s\/[\w.-]+\/rewards$/);
    expect(reply.headers.get('location')).not.toContain(jwt);
    expect(reply.headers.getSetCookie()).toEqual([]);
    const rewards = await look(onward(reply));
    expect(rewards.status).toBe(200);
    expect(rewards.text).not.toContain(jwt);
    expect(words(rewards)).toMatch(/^Hello Surya Kaur Balance 11,250 points .* Signed in as CUST0007 Rewards /);
  });

  it('shows no catalogue to a bad, foreign or used token (interface, rule 3; OP-34)', async () => {
    const sandbox = await testSandbox();
    const used = await entryFor(sandbox, uid);
    expect((await look(used)).status).toBe(303);
    const foreign = `${sandbox.urls.portal}/signin?token=${await jwtFor(sandbox, 'CUST0001')}&uid=${uid}`;
    const service = `${sandbox.urls.portal}/signin?token=${sandbox.credentials.service_token}&uid=${uid}`;
    for (const url of [used, foreign, service, `${sandbox.urls.portal}/signin?token=nonsense&uid=${uid}`]) {
      const reply = await look(url);
      expect({ status: reply.status, words: words(reply) }).toEqual({
        status: 422,
        words:
          'This link does not open your rewards It was used already, or it is too old. Sign in again and open your rewards from there.',
      });
    }
  });

  it('one token followed twice at once opens one session (OP-34)', async () => {
    const sandbox = await testSandbox();
    const url = await entryFor(sandbox, uid);
    const statuses = (await Promise.all([look(url), look(url), look(url)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 422, 422]);
  });

  it.each(['/signin', '/signin?token=x', '/signin?uid=x'])('%s lacks a part: 400, a page (OP-34)', async (path) => {
    const { urls } = await testSandbox();
    const reply = await look(`${urls.portal}${path}`);
    expect(reply.status).toBe(400);
    expect(words(reply)).toMatch(/^This link is incomplete /);
  });

  it('says so when the client does not answer: 502, a page', async () => {
    const sandbox = await testSandbox();
    const url = await entryFor(sandbox, uid);
    ok(await sandbox.control.POST('/faults', { body: { target: 'getProfileAndPoints', fault: 'reset', times: 1 } }));
    const reply = await look(url);
    expect(reply.status).toBe(502);
    expect(words(reply)).toMatch(/^Your account is out of reach /);
    expect((await look(url)).status).toBe(303);
  });
});

describe('every reply', () => {
  const policy = (ancestors: string) =>
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    `frame-src 'self'; base-uri 'none'; frame-ancestors ${ancestors}`;

  it('carries the policy, no-store, no-referrer and nosniff, whatever its status (OP-95)', async () => {
    const sandbox = await testSandbox();
    const { control, urls } = sandbox;
    const frame_ancestors = ['https://client.example', 'https://*.partner.example:8443'];
    ok(await control.PATCH('/workspace', { body: { settings: { frame_ancestors } } }));
    const session = await enter(sandbox, uid);
    const gone = `${urls.portal}/s/nobody/`;
    const replies = [
      await look(`${session}rewards`),
      await look(`${session}rewards/NOTHING`),
      await look(`${session}rewards?type=odd`),
      await look(`${gone}rewards`),
      await look(`${urls.portal}/signin`),
      await look(`${urls.portal}/nothing`),
      await send(`${session}rewards`),
      await look(`${session}orders`, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }),
      await send(`${session}orders`, { form_key: 'x'.repeat(70_000) }),
      await send(`${session}orders`, { form_key: 'x' }),
      await send(`${session}end`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 400, 410, 400, 404, 405, 415, 413, 400, 303]);
    for (const { headers, url } of replies) {
      expect({
        url,
        csp: headers.get('content-security-policy'),
        cache: headers.get('cache-control'),
        referrer: headers.get('referrer-policy'),
        type: headers.get('x-content-type-options'),
        trace: headers.get('x-trace-id'),
      }).toEqual({
        url,
        csp: policy("'self' https://client.example https://*.partner.example:8443"),
        cache: 'no-store',
        referrer: 'no-referrer',
        type: 'nosniff',
        trace: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    }
    for (const { text, headers } of replies.slice(0, -1)) {
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toMatch(/^<!doctype html><html lang="en">/);
      expect(text).toContain('SANDBOX');
      expect(text).not.toMatch(/<script(?![^>]* src=)| style=| on\w+=/);
    }
  });

  it('empty frame_ancestors lets the own pages only (OP-95)', async () => {
    const { control, urls } = await testSandbox();
    ok(await control.PATCH('/workspace', { body: { settings: { frame_ancestors: [] } } }));
    const { headers } = await look(`${urls.portal}/ended`);
    expect(headers.get('content-security-policy')).toBe(policy("'self'"));
  });

  it('names its style, script and icon, which may be kept for good (OP-98)', async () => {
    const { urls, origin } = await testSandbox();
    const { text } = await look(`${urls.portal}/ended`);
    const names = [...text.matchAll(/\/assets\/[^"]+/g)].map(([name]) => name);
    const files = await Promise.all(names.map((name) => look(`${origin}${name}`)));
    expect(
      files.map(({ status, headers }) => [status, headers.get('content-type'), headers.get('cache-control')]),
    ).toEqual(
      ['image/svg+xml', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8'].map((type) => [
        200,
        type,
        'public, max-age=31536000, immutable',
      ]),
    );
    const { status, headers } = await look(`${origin}/assets/pages-000000000000.css`);
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('the session', () => {
  it('ends when the customer leaves, in every tab (OP-96)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const left = await send(`${session}end`);
    expect([left.status, onward(left)]).toEqual([303, `${sandbox.urls.portal}/ended`]);
    expect(words(await look(onward(left)))).toMatch(/^You have left /);
    const replies = await Promise.all(
      ['rewards', 'history', 'rewards/EGV-SPICE-500'].map((page) => look(session + page)),
    );
    expect(replies.map(({ status }) => status)).toEqual([410, 410, 410]);
    expect(words(replies[0] ?? left)).toMatch(/^Your visit has ended /);
  });

  it('ends after half an hour, and no API takes its handle (OP-34)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const handle = session.split('/').at(-2) ?? '';
    const wallet = await sandbox.rewards(handle).GET('/getwalletdetail', { params: { query: { uid } } });
    expect(wallet.response.status).toBe(401);
    await advance(sandbox, 1799);
    expect((await look(`${session}rewards`)).status).toBe(200);
    await advance(sandbox, 1);
    expect((await look(`${session}rewards`)).status).toBe(410);
  });

  it('its handle stands in no log (OP-34)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    await look(`${session}rewards`);
    const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
    expect(JSON.stringify(items)).toContain('/portal/s/***/rewards');
    expect(JSON.stringify(items)).not.toContain(session.split('/').at(-2));
  });

  it("shows nobody else's order", async () => {
    const sandbox = await testSandbox();
    const [mine, other] = [await enter(sandbox, uid), await enter(sandbox, 'CUST0008')];
    const placed = await send(`${mine}orders`, await orderFields(mine, voucher.sku));
    const page = onward(placed).slice(mine.length);
    expect((await look(mine + page)).status).toBe(200);
    expect((await look(other + page)).status).toBe(404);
    expect(words(await look(`${other}history`))).toContain('You have not redeemed anything yet.');
  });
});

describe('the catalogue', () => {
  it('is filtered by kind, searched and paged, with points and rupees (OP-96)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const shelf = async (query: string) => words(await look(`${session}rewards${query}`)).replace(/^.*? Show /, '');
    expect(await shelf('')).toMatch(
      /^140 rewards .*Spice Route Kitchen e-gift voucher 1000 Gift voucher 1,000 points Rs 1,000 .*Page 1 of 12 Next$/,
    );
    expect(await shelf('?type=physical&q=')).toMatch(/^40 rewards .*Page 1 of 4 Next$/);
    expect(await shelf('?type=physical&q=kettle&page=1')).toMatch(
      /^4 rewards (Steel electric kettle 1.5 l[^P]* Product 1,548 points Rs 1,499 ?){4}$/,
    );
    expect(await shelf('?page=12')).toMatch(/Previous Page 12 of 12$/);
    expect(await shelf('?q=no+such+thing')).toBe('Nothing matches “no such thing”. Show all rewards');
  });
});

describe('an order', () => {
  it('costs what the page said, is followed to its delivery, and shows no voucher (interface, rules 5 to 7)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const { form_key = '' } = hidden(await look(`${session}rewards/${voucher.sku}`));
    const checkout = await look(`${session}checkout?sku=${voucher.sku}&quantity=2&form_key=${form_key}`);
    expect(words(checkout)).toBe(
      'Back Check your order Spice Route Kitchen e-gift voucher 500 Quantity 2 Reward 1,000 points Total 1,000 points ' +
        'Your balance is 11,250 points. Redeem 1,000 points The points are taken at once and given back if the order is rejected.',
    );
    const placed = await send(`${session}orders`, hidden(checkout));
    expect(placed.status).toBe(303);
    const pending = await look(onward(placed));
    expect(words(pending)).toMatch(
      /^All orders Order placed Order ORD-\S+ · 12 Jan 2026, \d\d?:\d\d am Spice Route Kitchen e-gift voucher 500 Quantity 2 Pending /,
    );
    expect(pending.text).toContain('<noscript><meta http-equiv="refresh" content="3"/></noscript>');
    expect(pending.text).toContain('10,250 points');

    await advance(sandbox, 2);
    const delivered = await look(onward(placed));
    expect(words(delivered)).toMatch(
      /^All orders Delivered Order .* Redeemed Your voucher is issued\. Your rewards programme sends it to you\. /,
    );
    expect(delivered.text).not.toContain('http-equiv="refresh"');
    const rewards = sandbox.rewards(await sandbox.companyToken());
    const { data: vouchers } = ok(await rewards.GET('/getwalletdetail', { params: { query: { uid } } }));
    expect(vouchers).toHaveLength(2);
    for (const { voucherCode } of vouchers) expect(delivered.text).not.toContain(voucherCode);
  });

  it('that is rejected says why and what became of the points (interface, rule 6)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not sold in this region' });
    ok(await sandbox.control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'reset', times: 1 } }));
    const placed = onward(await send(`${session}orders`, await orderFields(session, voucher.sku)));
    await advance(sandbox, 2);
    expect(words(await look(placed))).toMatch(
      /^All orders Order rejected Order .* Rejected Your points are on their way back\. Reason: Not sold in this region Points 500 points /,
    );
    await advance(sandbox, 5);
    const reversed = await look(placed);
    expect(words(reversed)).toMatch(/ Reversed Your points were given back\. Reason: .* Points 500 points given back /);
    expect(reversed.text).toContain('11,250 points');
  });

  it('of a product asks where it goes, and tells the client (OP-05)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const fields = await orderFields(session, kettle.sku);
    const wrong = await send(`${session}orders`, { ...fields, address: ' 1 ', pincode: '56003', state: '99' });
    expect(wrong.status).toBe(422);
    expect(words(wrong)).toMatch(
      /Enter house, street and place\..*Enter the six digits of the pincode\..*Choose the state\./,
    );
    expect(hidden(wrong)).toEqual(fields);
    expect(await ordersOf(sandbox)).toBe(0);
    const placed = await send(`${session}orders`, { ...fields, ...where });
    expect(placed.status).toBe(303);
    const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { uid, limit: 10_000 } } }));
    const sent = items.find((item) => item.kind === 'call_out' && item.operation === 'saveRedeemDetails');
    expect(sent).toMatchObject({
      request: {
        shippingAddress: '12 Lake View Road, Bengaluru, Karnataka, 560038',
        redeemPoints: '1499',
        processingFee: '49',
      },
    });
  });

  it('beyond the balance is not placed: the page says so, and so does the order itself (interface, rule 4)', async () => {
    const sandbox = await testSandbox();
    ok(
      await sandbox.control.PATCH('/customers/{uid}', {
        params: { path: { uid } },
        body: { points: { balance: 499 } },
      }),
    );
    const session = await enter(sandbox, uid);
    const { form_key = '' } = hidden(await look(`${session}rewards/${voucher.sku}`));
    const checkout = await look(`${session}checkout?sku=${voucher.sku}&quantity=1&form_key=${form_key}`);
    expect(words(checkout)).toContain(
      'Insufficient balance You need 500 points and have 499 points. Nothing was ordered.',
    );
    expect(checkout.text).not.toContain('action="orders"');
    const sent = await send(`${session}orders`, { form_key, sku: voucher.sku, quantity: '1' });
    expect(sent.status).toBe(422);
    expect(words(sent)).toMatch(/^Insufficient balance You need 500 points and have 499\. Nothing was ordered /);
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 499 });
    expect(await ordersOf(sandbox)).toBe(0);
    // The form was not used up: with points enough it orders.
    ok(
      await sandbox.control.PATCH('/customers/{uid}', {
        params: { path: { uid } },
        body: { points: { balance: 500 } },
      }),
    );
    expect((await send(`${session}orders`, { form_key, sku: voucher.sku, quantity: '1' })).status).toBe(303);
  });

  it('sent twice at once, after the back button, or from a second tab is one order (OP-20, OP-96)', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    const [fields, otherTab] = [await orderFields(session, voucher.sku), await orderFields(session, voucher.sku)];
    const sent = await Promise.all([fields, fields, otherTab].map((form) => send(`${session}orders`, form)));
    const again = await send(`${session}orders`, fields);
    expect([...sent, again].map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(new Set([...sent, again].map(onward)).size).toBe(1);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await send(`${session}orders`, { ...fields, quantity: '2' });
    expect([other.status, words(other)]).toEqual([409, expect.stringMatching(/^This order was sent already /)]);
    expect(await ordersOf(sandbox)).toBe(1);
    expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_750 });
    // Starting anew from the reward is another order.
    expect((await send(`${session}orders`, await orderFields(session, voucher.sku))).status).toBe(303);
    expect(await ordersOf(sandbox)).toBe(2);
  });

  it('that the client refused or did not answer can be tried again with a new form', async () => {
    const sandbox = await testSandbox();
    const session = await enter(sandbox, uid);
    ok(await sandbox.control.POST('/faults', { body: { target: 'saveRedeemDetails', fault: 'reset', times: 3 } }));
    const fields = await orderFields(session, voucher.sku);
    const failed = await send(`${session}orders`, fields);
    expect([failed.status, words(failed)]).toEqual([502, expect.stringMatching(/^Your account is out of reach /)]);
    expect((await send(`${session}orders`, fields)).status).toBe(502);
    expect((await send(`${session}orders`, await orderFields(session, voucher.sku))).status).toBe(303);
    expect(await ordersOf(sandbox)).toBe(1);
  });
});

it('history tells Earned, Pending, Redeemed and Reversed, newest first (interface, Points lifecycle labels)', async () => {
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
        '^History Earned so far 11,375 points Redeemed so far \\S+ points Balance \\S+ points Redeemed',
        'Banyan Books e-gift voucher 250 12 Jan 2026, \\S+ am · ORD-000003-\\S+ Pending −250 points',
        'Chai Junction e-gift voucher 100 12 Jan 2026, \\S+ am · ORD-000002-\\S+ Reason: Sold out Reversed 100 points given back',
        'Spice Route Kitchen e-gift voucher 500 12 Jan 2026, \\S+ am · ORD-000001-\\S+ Redeemed −500 points',
        'Earned Payment of Rs 12,500.50 \\S+ Earned \\+125 points$',
      ].join(' '),
    ),
  );
});
