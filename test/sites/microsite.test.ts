/** Tests the microsite without a browser: each state of a sign-in, and the secrets that must never reach a page (OP-18, OP-97). */
import { describe, expect, it } from 'vitest';
import { serve } from '../harness/http-server.ts';
import { advance } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { look, onward, type PageReply, send, words } from '../harness/visitor.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const uid = 'CUST0007';

async function codeOf({ control }: TestSandbox): Promise<string> {
  const { items } = ok(await control.GET('/messages', { params: { query: { uid } } }));
  return items[0]?.otp ?? '';
}

/** Requests a code. Returns the URL of the visit, which ends in a slash. */
async function begin(sandbox: TestSandbox): Promise<string> {
  return new URL('.', onward(await send(`${sandbox.urls.microsite}/codes`, { customer_id: uid }))).href;
}

async function signIn(sandbox: TestSandbox): Promise<string> {
  const visit = await begin(sandbox);
  const done = await send(`${visit}code`, { otp: await codeOf(sandbox) });
  expect(done.status).toBe(303);
  return new URL('.', onward(done)).href;
}

const statusAndWords = (reply: PageReply) => [reply.status, words(reply).replace(/ Use another customer ID.*$/, '')];

it('G4, D7, T4: signs a customer in and shows the points, with and without the slash in the address', async () => {
  const sandbox = await testSandbox();
  const { microsite } = sandbox.urls;
  const [bare, slash] = [await look(microsite), await look(`${microsite}/`)];
  expect([bare.status, slash.text]).toEqual([200, bare.text]);
  const codeReply = await send(`${microsite}/codes`, { customer_id: ` ${uid} ` });
  expect([codeReply.status, codeReply.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/microsite\/s\/[0-9a-f]{16}\.[\w-]{43}\/code$/),
  ]);
  expect(codeReply.headers.getSetCookie()).toEqual([]);
  const page = await look(onward(codeReply));
  expect(words(page)).toMatch(
    /^Enter your code We sent it to \*{6}9497\. It is valid for 5 minutes\. One-time password 5 attempts left Sign in Send new code /,
  );
  expect(page.text).toMatch(/<input id="otp"[^>]* inputmode="numeric" autocomplete="one-time-code"/);
  const code = await codeOf(sandbox);
  const done = await send(onward(codeReply), { otp: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect([done.status, done.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/microsite\/s\/[0-9a-f]{16}\.[\w-]{43}\/home$/),
  ]);
  expect(words(await look(onward(done)))).toMatch(
    /^Your points Balance 11,250 Total earned 11,250 Total redeemed 0 Signed in as CUST0007 .* Open portal Open in this page /,
  );
});

it('the back link leads to the first page of the same workspace', async () => {
  const sandbox = await testSandbox();
  for (const { urls } of [sandbox, await workspaceOf(sandbox)]) {
    const codeReply = await send(`${urls.microsite}/codes`, { customer_id: uid });
    const page = await look(onward(codeReply));
    const [, back = ''] = /<a href="([^"]*)">Use another customer ID/.exec(page.text) ?? [];
    expect(new URL(back, page.url).href).toBe(`${urls.microsite}/`);
    expect(words(await look(new URL(back, page.url).href))).toMatch(/^Sign in Customer ID /);
  }
});

it.each([
  ['', 'Enter your customer ID.'],
  ['NOBODY', 'Unknown customer.'],
  ['MAGIC-LOCKED', 'Customer is locked. Try again later. (MAGIC-LOCKED)'],
])('says next to the field what is wrong with the customer id %j', async (customer_id, problem) => {
  const { urls } = await testSandbox();
  const reply = await send(`${urls.microsite}/codes`, { customer_id });
  expect(reply.status).toBe(422);
  expect(words(reply)).toContain(`Customer ID ${problem} Send code`);
});

it('wrong codes count down; the fifth is the last, and a new code starts again (OP-18)', async () => {
  const sandbox = await testSandbox();
  const visit = await begin(sandbox);
  const code = await codeOf(sandbox);
  const wrong = code === '000000' ? '111111' : '000000';
  expect(words(await send(`${visit}code`, { otp: '12345' }))).toContain('Enter the six-digit code. 5 attempts left');
  for (const left of ['4 attempts', '3 attempts', '2 attempts', '1 attempt', '0 attempts']) {
    const reply = await send(`${visit}code`, { otp: wrong });
    expect([reply.status, words(reply)]).toEqual([422, expect.stringContaining(`Incorrect OTP. ${left} left`)]);
  }
  const out = await send(`${visit}code`, { otp: code });
  expect(words(out)).toContain('Too many attempts for this OTP. Request a new one. Request a new code.');
  expect(out.text).not.toContain('name="otp"');
  await advance(sandbox, 30);
  expect(onward(await send(`${visit}resend`))).toBe(`${visit}code`);
  expect(words(await look(`${visit}code`))).toContain('5 attempts left');
  expect((await send(`${visit}code`, { otp: await codeOf(sandbox) })).status).toBe(303);
});

it('an expired code has its own message, and a new one can be sent only after 30 s (OP-18, OP-97)', async () => {
  const sandbox = await testSandbox();
  const visit = await begin(sandbox);
  const early = await send(`${visit}resend`);
  expect([early.status, words(early)]).toEqual([422, expect.stringContaining('You can request a new code in 30 s.')]);
  expect((await look(`${visit}code`)).text).toContain('data-wait="30"');
  await advance(sandbox, 300);
  const late = await send(`${visit}code`, { otp: await codeOf(sandbox) });
  expect(statusAndWords(late)).toEqual([
    422,
    expect.stringContaining('OTP has expired. Request a new code. Send new code'),
  ]);
  expect(late.text).not.toContain('data-wait');
});

it('OP-125: a code that another visit replaced has its own message, and a new one can be sent', async () => {
  const sandbox = await testSandbox();
  const visit = await begin(sandbox);
  const code = await codeOf(sandbox);
  await begin(sandbox);
  const reply = await send(`${visit}code`, { otp: code });
  expect(statusAndWords(reply)).toEqual([
    422,
    expect.stringContaining('A newer OTP was sent. Use that one. Request a new code. Send new code'),
  ]);
});

it('OP-126: too many requests for codes are reported next to the field and in the visit, where the last code still signs in', async () => {
  const sandbox = await testSandbox();
  for (let codes = 1; codes <= 4; codes += 1) await begin(sandbox);
  const visit = await begin(sandbox);
  const again = await send(`${sandbox.urls.microsite}/codes`, { customer_id: uid });
  expect([again.status, words(again)]).toEqual([
    422,
    expect.stringContaining('Customer ID Too many OTP requests. Try again later. Send code'),
  ]);
  await advance(sandbox, 30);
  const reply = await send(`${visit}resend`);
  expect(statusAndWords(reply)).toEqual([
    422,
    expect.stringMatching(
      /One-time password Too many OTP requests\. Try again later\. Until then, use the last code we sent you\. 5 attempts left Sign in$/,
    ),
  ]);
  expect((await send(`${visit}code`, { otp: await codeOf(sandbox) })).status).toBe(303);
});

it('a machine whose clock is set back a day delays a new code by no more than 30 seconds (OP-97)', async () => {
  let real = Date.UTC(2026, 10, 22);
  const sandbox = await testSandbox({ clock: 'running', realTime: () => real });
  const visit = await begin(sandbox);
  expect((await send(`${visit}resend`)).status).toBe(422);
  real -= 86_400_000;
  expect((await look(`${visit}code`)).text).toContain('data-wait="30"');
  real += 30_000;
  expect((await look(`${visit}code`)).text).not.toContain('data-wait');
  expect(onward(await send(`${visit}resend`))).toBe(`${visit}code`);
  expect((await look(`${visit}code`)).text).toContain('data-wait="30"');
});

it('a locked customer gets a message and no form (OP-18)', async () => {
  const sandbox = await testSandbox();
  const visit = await begin(sandbox);
  for (let tries = 0; tries < 20; tries += 1) await send(`${visit}code`, { otp: '000000' });
  const reply = await send(`${visit}code`, { otp: '000000' });
  expect(statusAndWords(reply)).toEqual([
    422,
    'Your account is locked Customer is locked. Try again later. You can sign in with this ID again after 15 minutes.',
  ]);
  expect(reply.text).not.toContain('<form');
});

it('opens the portal once per sign-in, as a page or in a frame (OP-34, OP-97)', async () => {
  const sandbox = await testSandbox();
  const visit = await signIn(sandbox);
  const redirect = await send(`${visit}rewards`, { view: 'page' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/portal\/signin\?token=[\w.-]+&uid=CUST0007$/),
  ]);
  expect((await look(onward(redirect))).status).toBe(303);
  const again = await send(`${visit}rewards`, { view: 'frame' });
  expect([again.status, words(again)]).toEqual([422, expect.stringContaining('You already opened your rewards')]);

  const framed = await send(`${await signIn(sandbox)}rewards`, { view: 'frame' });
  expect(framed.text).toMatch(
    /<iframe class="frame" src="\/portal\/signin\?token=[\w.-]+&amp;uid=CUST0007" title="Rewards">/,
  );
});

it('shows neither the Basic credentials nor the JWT before the redirect to the portal, and logs neither (OP-97)', async () => {
  const sandbox = await testSandbox();
  const visit = await signIn(sandbox);
  const pages = [await look(sandbox.urls.microsite), await look(`${visit}home`), await look(`${visit}code`)];
  const entry = new URL(onward(await send(`${visit}rewards`, { view: 'page' })));
  const jwt = entry.searchParams.get('token') ?? '';
  expect(jwt.length).toBeGreaterThan(100);
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  const calls = items.flatMap((item) => (item.kind === 'call_out' ? [item.operation] : []));
  expect(calls).toEqual(['generateOtp', 'verifyOtp']);
  const { username, password } = sandbox.credentials.basic;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  for (const text of [...pages.map((page) => page.text), JSON.stringify(items)]) {
    for (const secret of [password, basic, jwt, visit.split('/').at(-2) ?? '']) expect(text).not.toContain(secret);
  }
});

it('the address of a visit opens nothing after the sign-in, so sharing it signs nobody in (OP-97)', async () => {
  const sandbox = await testSandbox();
  const visit = await begin(sandbox);
  const done = await send(`${visit}code`, { otp: await codeOf(sandbox) });
  const own = new URL('.', onward(done)).href;
  expect(own).not.toBe(visit);
  const old = [
    await look(`${visit}home`),
    await look(`${visit}code`),
    await send(`${visit}code`, { otp: '123456' }),
    await send(`${visit}resend`),
    await send(`${visit}rewards`, { view: 'page' }),
    await send(`${visit}end`),
  ];
  expect(old.map(({ status }) => status)).toEqual([410, 410, 410, 410, 410, 410]);
  expect(words(await look(`${own}home`))).toMatch(/^Your points /);
  expect([onward(await look(`${own}code`)), onward(await send(`${own}code`, { otp: '123456' }))]).toEqual([
    `${own}home`,
    `${own}home`,
  ]);
});

it('a visit ends after an hour, and a signed-in visit an hour after its sign-in (OP-97)', async () => {
  const sandbox = await testSandbox();
  const unsigned = await begin(sandbox);
  await advance(sandbox, 3599);
  expect((await look(`${unsigned}code`)).status).toBe(200);
  await advance(sandbox, 1);
  expect((await look(`${unsigned}code`)).status).toBe(410);
  const visit = await signIn(sandbox);
  await advance(sandbox, 3600);
  expect((await look(`${visit}home`)).status).toBe(410);
});

it('signing out ends the visit; without a signed-in visit there is nothing to see', async () => {
  const sandbox = await testSandbox();
  const visit = await signIn(sandbox);
  const endReply = await send(`${visit}end`);
  expect([endReply.status, onward(endReply)]).toEqual([303, `${sandbox.urls.microsite}/`]);
  const replies = [await look(`${visit}home`), await send(`${visit}rewards`, { view: 'page' })];
  expect(replies.map(({ status }) => status)).toEqual([410, 410]);
  expect(words(await look(`${visit}home`))).toMatch(/^Your visit has ended .* Sign in$/);
  const unsigned = await begin(sandbox);
  expect(onward(await look(`${unsigned}home`))).toBe(`${unsigned}code`);
  expect((await send(`${unsigned}rewards`, { view: 'page' })).status).toBe(410);
});

it('a client that does not respond, or violates the contract, is reported as unavailable', async () => {
  const sandbox = await testSandbox();
  const { control, urls } = sandbox;
  for (const fault of ['reset', 'malformed', 'status'] as const) {
    const status = fault === 'status' ? { status: 503 } : {};
    ok(await control.POST('/faults', { body: { target: 'generateOtp', fault, times: 1, ...status } }));
    const reply = await send(`${urls.microsite}/codes`, { customer_id: uid });
    expect([reply.status, words(reply)]).toEqual([502, expect.stringMatching(/^Your account is unavailable /)]);
  }
  expect((await send(`${urls.microsite}/codes`, { customer_id: uid })).status).toBe(303);
});

describe('parts of the sandbox alone', () => {
  it('OP-186: panels for demo customers and for the code of this visit, and no panel once the code has expired', async () => {
    const sandbox = await testSandbox();
    const first = await look(sandbox.urls.microsite);
    expect(words(first)).toMatch(
      / Sandbox Demo customers Any of them can sign in, such as CUST0001\. List all customers$/,
    );
    expect(first.text).toMatch(
      /<ul class="customers" data-customers="6" aria-busy="true">(<li class="customer skeleton" aria-hidden="true"><\/li>){6}<\/ul>/,
    );
    const visit = await begin(sandbox);
    const codePage = await look(`${visit}code`);
    expect(words(codePage)).toMatch(
      / Sandbox Your one-time password The sandbox sends no SMS\. You’ll find the code in the outbox \. Messages as JSON$/,
    );
    expect(codePage.text).toMatch(
      / data-code="OTP-[\w-]+" data-uid="CUST0007" data-mobile="9497" data-since="2026-[^"]+"/,
    );
    expect(codePage.text).not.toContain(await codeOf(sandbox));
    await advance(sandbox, 300);
    expect((await send(`${visit}code`, { otp: await codeOf(sandbox) })).text).not.toContain('data-code');
  });

  it('OP-186: with the client’s own server, that it handles the sign-in, and which address should send the code', async () => {
    const sandbox = await testSandbox();
    const otpReply = { success: true, status: 200, reference_id: 'REF-1', expires_in: 300, mobile: '******0007' };
    const client_url = await serve((_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(otpReply));
    });
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
    const first = await look(sandbox.urls.microsite);
    expect(words(first)).toContain(`Sign-in runs on your own server ${client_url} generates and verifies the codes.`);
    expect(first.text).not.toContain('data-customers');
    expect(words(await look(`${await begin(sandbox)}code`))).toMatch(
      new RegExp(
        ` Your own server sends the code The microsite asked ${client_url} to send it to \\*{6}0007\\. It appears here and in the outbox if that server uses the message gateway\\.$`,
      ),
    );
  });

  it('OP-186: nothing of the demo workspace in a created workspace', async () => {
    const sandbox = await testSandbox();
    const workspace = await workspaceOf(sandbox);
    const first = await look(workspace.urls.microsite);
    expect(words(first)).toContain(
      ' Customers of this workspace Any of them can sign in. The dashboard lists them; it requires the admin token ',
    );
    const [, action = ''] = /<form class="panel" method="post" action="([^"]*)"/.exec(first.text) ?? [];
    const code = await look(onward(await send(new URL(action, first.url).href, { customer_id: uid })));
    expect(words(code)).toMatch(
      / Find your code The sandbox sends no SMS\. You’ll find the code in the outbox of this workspace, which requires its admin token\.$/,
    );
    expect([first.text, code.text].join()).not.toMatch(/data-customers|data-code/);
  });
});
