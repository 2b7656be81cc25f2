/** Tests entry to the portal, the lifetime of its sessions, and its reply headers (OP-34, OP-95, OP-96, OP-98). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tokenInvalid } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { serve } from '../harness/http-server.ts';
import { advance, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { enter, entryFor, jwtFor, look, onward, orderFields, send, words } from '../harness/visitor.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const uid = 'CUST0007';

describe('the entry', () => {
  it('G10, C1: lets a customer in and removes the token from the address (OP-34)', async () => {
    const sandbox = await testSandbox();
    const jwt = await jwtFor(sandbox, uid);
    const reply = await look(`${sandbox.urls.portal}/signin?token=${jwt}&uid=${uid}`);
    expect(reply.status).toBe(303);
    expect(reply.headers.get('location')).toMatch(/^\/portal\/s\/[0-9a-f]{16}\.[\w-]{43}\/rewards$/);
    expect(reply.headers.get('location')).not.toContain(jwt);
    expect(reply.headers.getSetCookie()).toEqual([]);
    const rewards = await look(onward(reply));
    expect(rewards.status).toBe(200);
    expect(rewards.text).not.toContain(jwt);
    expect(words(rewards)).toMatch(
      /^Hello Surya Kaur Signed in as CUST0007 Total earned 11,250 points Total redeemed 0 points Rewards /,
    );
  });

  it('G9, M4: has the client validate the token, with the user id, before it shows anything', async () => {
    const sandbox = await testSandbox();
    const jwt = await jwtFor(sandbox, uid);
    const requests: unknown[] = [];
    const client_url = await serve(({ method, url, headers }, body, response) => {
      requests.push({ method, url, authorization: headers.authorization, body });
      response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(tokenInvalid.body));
    });
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
    expect((await look(`${sandbox.urls.portal}/signin?token=${jwt}&uid=${uid}`)).status).toBe(422);
    const url = `/getProfileAndPoints?uid=${uid}`;
    expect(requests).toEqual([{ method: 'POST', url, authorization: `Bearer ${jwt}`, body: '' }]);
  });

  it('G11: shows no catalogue to a bad, foreign or used token (OP-34)', async () => {
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
          'This link does not open your rewards The link was already used or has expired. Sign in again and open your rewards from there. ' +
          'For developers: this address identifies no workspace. The platform validated the token with the client server of the demo ' +
          'workspace. To use tokens from the server of another workspace, send ' +
          'customers to urls.portal of that workspace; GET /sandbox/v1/workspace returns it. Open the start page',
      });
    }
  });

  it('one token that is used several times concurrently opens one session (OP-34)', async () => {
    const sandbox = await testSandbox();
    const url = await entryFor(sandbox, uid);
    const statuses = (await Promise.all([look(url), look(url), look(url)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 422, 422]);
  });

  it.each(['/signin', '/signin?token=x', '/signin?uid=x'])(
    'C2: %s is incomplete: 400, a page (OP-34)',
    async (path) => {
      const { urls } = await testSandbox();
      const reply = await look(`${urls.portal}${path}`);
      expect(reply.status).toBe(400);
      expect(words(reply)).toMatch(/^This link is incomplete /);
    },
  );

  it.each(['%00', '%01', '%0D%0Ax%3A', 'a%20b', '%7F', '%C3%A9', 'x'.repeat(4097)])(
    'the token %s, which no header can carry: 400, a page, and no call to the client (OP-80)',
    async (token) => {
      const { urls, control } = await testSandbox();
      const reply = await look(`${urls.portal}/signin?uid=${uid}&token=${token}`);
      expect(reply.status).toBe(400);
      expect(words(reply)).toMatch(/^This link is incomplete Part of the link is missing or was changed\./);
      const { items } = ok(await control.GET('/activity'));
      expect(items.filter(({ kind }) => kind === 'call_out')).toEqual([]);
    },
  );
});

describe('every reply', () => {
  const policy = (ancestors: string) =>
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; " +
    `frame-src 'self'; base-uri 'none'; frame-ancestors ${ancestors}`;

  it('carries the policy, no-store, no-referrer and nosniff, whatever its status (OP-95)', async () => {
    const sandbox = await testSandbox();
    const { control, urls } = sandbox;
    const frame_ancestors = ['https://client.example', 'https://*.partner.example:8443'];
    ok(await control.PATCH('/workspace', { body: { settings: { frame_ancestors } } }));
    const session = await enter(sandbox, uid);
    const endedSession = `${urls.portal}/s/nobody/`;
    const replies = [
      await look(`${session}rewards`),
      await look(`${session}rewards/NOTHING`),
      await look(`${session}rewards?type=odd`),
      await look(`${endedSession}rewards`),
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

  it('empty frame_ancestors allows only the sandbox itself (OP-95)', async () => {
    const { control, urls } = await testSandbox();
    ok(await control.PATCH('/workspace', { body: { settings: { frame_ancestors: [] } } }));
    const { headers } = await look(`${urls.portal}/ended`);
    expect(headers.get('content-security-policy')).toBe(policy("'self'"));
  });

  it('lets no site of this machine frame the portal if other machines can reach the sandbox (OP-95)', async () => {
    const warn = () => {};
    const { control, urls } = await testSandbox({ host: '0.0.0.0', warn });
    const ended = async () => (await look(`${urls.portal}/ended`)).headers.get('content-security-policy');
    expect(await ended()).toBe(policy("'self'"));
    ok(await control.PATCH('/workspace', { body: { settings: { frame_ancestors: ['https://client.example'] } } }));
    expect(await ended()).toBe(policy("'self' https://client.example"));
  });

  it('names its style, script, font and icon, which caches may store permanently (OP-98)', async () => {
    const { urls, origin } = await testSandbox();
    const { text } = await look(`${urls.portal}/ended`);
    const names = [...text.matchAll(/\/assets\/[^"]+/g)].map(([name]) => name);
    const files = await Promise.all(names.map((name) => look(`${origin}${name}`)));
    expect(
      files.map(({ status, headers }) => [status, headers.get('content-type'), headers.get('cache-control')]),
    ).toEqual(
      ['image/svg+xml', 'font/woff2', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8'].map((type) => [
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
    const endReply = await send(`${session}end`);
    expect([endReply.status, onward(endReply)]).toEqual([303, `${sandbox.urls.portal}/ended`]);
    expect(words(await look(onward(endReply)))).toMatch(/^Your visit has ended /);
    const replies = await Promise.all(
      ['rewards', 'history', 'rewards/EGV-SPICE-500'].map((page) => look(session + page)),
    );
    expect(replies.map(({ status }) => status)).toEqual([410, 410, 410]);
    expect(words(replies[0] ?? endReply)).toMatch(/^Your visit has ended /);
  });

  it('ends after half an hour, and no API accepts its handle (OP-34)', async () => {
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

  it('its handle reveals neither customer nor workspace, and the stored hash opens nothing (OP-34)', async () => {
    const sandbox = await testSandbox();
    const [one, two] = [await enter(sandbox, uid), await enter(sandbox, uid)];
    const handles = [one, two].map((session) => session.split('/').at(-2) ?? '');
    expect(new Set(handles).size).toBe(2);
    for (const handle of handles) {
      const parts = handle.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      for (const secret of [uid, 'demo', '"sub"', 'eyJ']) expect([handle, ...parts].join(' ')).not.toContain(secret);
      const stored = `${sandbox.urls.portal}/s/${createHash('sha256').update(handle).digest('hex')}`;
      const bits = `${handle.slice(0, -1)}${handle.endsWith('A') ? 'B' : 'A'}`;
      for (const url of [stored, `${sandbox.urls.portal}/s/${bits}`])
        expect((await look(`${url}/rewards`)).status).toBe(410);
    }
  });

  it('a wrong handle gets the same page whether or not its first part exists (OP-34, OP-63)', async () => {
    const sandbox = await testSandbox();
    const made = await workspaceOf(sandbox);
    const firstPart = (await enter(made, uid)).split('/').at(-2)?.split('.')[0];
    const wrong = 'A'.repeat(43);
    const ids = [firstPart, made.details.id, 'demo', 'ws_nothing', sandbox.credentials.company_secret];
    for (const site of ['portal', 'microsite']) {
      const pages = await Promise.all(
        ids.map((id) => look(`${sandbox.origin}/${site}/s/${id}.${wrong}/${site === 'portal' ? 'rewards' : 'home'}`)),
      );
      expect(pages.map(({ status }) => status)).toEqual([410, 410, 410, 410, 410]);
      // Only the holder of a handle knows its first part, so only that page shows the workspace's link back.
      expect(new Set(pages.slice(1).map(({ text }) => text)).size).toBe(1);
    }
  });

  it('a restart keeps it, and a reset ends it (OP-34)', async () => {
    const dataDir = await temporaryFolder();
    const key = new Uint8Array(32);
    const first = await testSandbox({ dataDir, key });
    const session = await enter(first, uid);
    await first.close();
    const second = await testSandbox({ dataDir, key });
    const again = session.replace(first.origin, second.origin);
    expect((await look(`${again}rewards`)).status).toBe(200);
    ok(await second.control.POST('/reset'));
    expect((await look(`${again}rewards`)).status).toBe(410);
    await second.close();
  });

  it('its handle appears in no log (OP-34)', async () => {
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
    const orderReply = await send(`${mine}orders`, await orderFields(mine, voucher.sku));
    const page = onward(orderReply).slice(mine.length);
    expect((await look(mine + page)).status).toBe(200);
    expect((await look(other + page)).status).toBe(404);
    expect(words(await look(`${other}history`))).toContain('You have not redeemed anything yet.');
  });
});
