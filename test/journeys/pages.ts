/** Tests a customer's browser visit from the microsite through the portal to a delivered reward, and the sign-out (OP-96, OP-97). */
import { expect, it } from 'vitest';
import { advance, voucher } from '../harness/orders.ts';
import { type ProxiedSandbox, proxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { ledgerOf } from '../harness/state.ts';
import { hidden, look, onward, orderFields, send, words } from '../harness/visitor.ts';

const uid = 'CUST0007';

async function codeOf({ control }: ProxiedSandbox): Promise<string> {
  return ok(await control.GET('/messages', { params: { query: { uid } } })).items[0]?.otp ?? '';
}

/** Requests a code on the microsite. Returns the URL of the visit, ending in a slash. */
async function askForCode({ urls }: ProxiedSandbox): Promise<string> {
  expect(words(await look(urls.microsite))).toMatch(/^Sign in /);
  return new URL('.', onward(await send(`${urls.microsite}/codes`, { customer_id: uid }))).href;
}

it('signs in with a second code, redeems a voucher in the portal, opens the history, and leaves both sites', async () => {
  const sandbox = await proxiedSandbox();
  const unsigned = await askForCode(sandbox);

  // Without a code, the home page redirects back. The first code is lost, and the second one works.
  expect(onward(await look(`${unsigned}home`))).toBe(`${unsigned}code`);
  await advance(sandbox, 30);
  expect(onward(await send(`${unsigned}resend`))).toBe(`${unsigned}code`);
  expect(words(await look(`${unsigned}code`))).toMatch(/^Enter your code .* 5 attempts left /);
  const home = onward(await send(`${unsigned}code`, { otp: await codeOf(sandbox) }));
  const visit = new URL('.', home).href;
  expect((await look(`${unsigned}home`)).status).toBe(410);
  expect(onward(await look(`${visit}code`))).toBe(`${visit}home`);
  expect(words(await look(`${visit}home`))).toMatch(/^Your points Balance 11,250 /);

  // Open the portal, which removes the token from the URL.
  const entry = await send(`${visit}rewards`, { view: 'page' });
  const shelf = onward(await look(onward(entry)));
  const session = new URL('.', shelf).href;
  expect(words(await look(`${shelf}?type=egv&q=spice+500&page=1`))).toMatch(
    /^Hello Surya Kaur .* Search 1 reward, all within your balance /,
  );

  // Redeem one voucher: checkout, order, delivery and history.
  const placed = await send(`${session}orders`, await orderFields(session, voucher.sku));
  expect(words(await look(onward(placed)))).toMatch(/^All orders Order placed /);
  await advance(sandbox, 2);
  expect(words(await look(`${onward(placed)}?seen=Pending&wait=5`))).toMatch(/^All orders Delivered /);
  expect(words(await look(`${session}history`))).toContain('Redeemed −500 points');
  expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_750, entries: [{}, { label: 'Redeemed' }] });

  // The customer cancels a second order (OP-127).
  const unwanted = onward(await send(`${session}orders`, await orderFields(session, voucher.sku)));
  expect(onward(await send(`${unwanted}/cancel`))).toBe(unwanted);
  ok(await sandbox.control.POST('/settle'));
  expect(words(await look(unwanted))).toMatch(
    /^All orders Order cancelled .* Points refunded \(done\) Your points were refunded\. /,
  );
  expect(await ledgerOf(sandbox, uid)).toMatchObject({ balance: 10_750 });

  // Leave the portal, then the microsite.
  expect(words(await look(onward(await send(`${session}end`))))).toMatch(/^Your visit has ended /);
  expect(onward(await send(`${visit}end`))).toBe(`${sandbox.urls.microsite}/`);
});

it('starts at the root, and finds a way forward from unknown addresses (OP-68, OP-96)', async () => {
  const { origin, urls } = await proxiedSandbox();
  const accept = { headers: { Accept: 'text/html' } };
  expect(words(await look(`${origin}/`, accept))).toMatch(/^Rewards sandbox .* Dashboard .* Microsite /);
  expect((await look(`${origin}/`)).headers.get('content-type')).toMatch(/^application\/json/);
  expect(words(await look(`${urls.portal}/`))).toMatch(/^Open the portal from a sign-in .* Go to the microsite$/);
  expect(words(await look(`${urls.dashboard}/nowhere`))).toMatch(/^Page not found .* Open the overview$/);
});

it('opens the portal in a frame, whose page brings its own style, script and icon (OP-34, OP-98)', async () => {
  const sandbox = await proxiedSandbox();
  const unsigned = await askForCode(sandbox);
  const visit = new URL('.', onward(await send(`${unsigned}code`, { otp: await codeOf(sandbox) }))).href;
  const framed = await send(`${visit}rewards`, { view: 'frame' });
  const [, source = ''] = /<iframe[^>]* src="([^"]*)"/.exec(framed.text) ?? [];
  const inside = await look(onward(await look(new URL(source.replaceAll('&amp;', '&'), visit).href)));
  expect(words(inside)).toMatch(/^Hello Surya Kaur /);
  const assets = [...inside.text.matchAll(/(?:href|src)="(\/assets\/[^"]*)"/g)].map(([, path = '']) => path);
  const kinds = assets.map(async (path) => (await look(new URL(path, visit).href)).headers.get('content-type'));
  expect((await Promise.all(kinds)).sort()).toEqual([
    expect.stringMatching(/^font\/woff2/),
    expect.stringMatching(/^image\/svg\+xml/),
    expect.stringMatching(/^text\/css/),
    expect.stringMatching(/^text\/javascript/),
  ]);
  expect(hidden(await look(new URL(`${new URL('.', inside.url).href}rewards/${voucher.sku}`).href))).toMatchObject({
    form_key: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});
